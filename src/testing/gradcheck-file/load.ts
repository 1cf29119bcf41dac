import fs from "node:fs";
import path from "node:path";
import { createJiti } from "jiti";
import * as bench from "../../bench/index.js";
import { fail, GradstandError } from "../../errors/index.js";
import * as ideas from "../../ideas/index.js";
import * as gradstand from "../../index.js";
import * as nn from "../../nn/index.js";
import * as stats from "../../stats/index.js";
import * as testing from "../index.js";
import { thrownValue } from "./thrown.js";

/** What a user's file imports by these names is what the command itself uses: one class of tensors, one graph. */
const own = {
  gradstand,
  "gradstand/bench": bench,
  "gradstand/ideas": ideas,
  "gradstand/nn": nn,
  "gradstand/stats": stats,
  "gradstand/testing": testing,
};

const extensions = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];

/**
 * The exports of a TypeScript or JavaScript file, which needs no build step.
 *
 * @throws E_GRADCHECK_FILE when it cannot be read, has a syntax error, or throws while it is imported, with the line
 */
export async function loadFile(file: string): Promise<Record<string, unknown>> {
  const place = path.resolve(file);
  if (!extensions.includes(path.extname(place)))
    fail("E_GRADCHECK_FILE", `${file}: expected a file that ends in ${extensions.join(", ")}`);
  if (!fs.statSync(place, { throwIfNoEntry: false })?.isFile())
    fail("E_GRADCHECK_FILE", `${file}: there is no such file`);
  const jiti = createJiti(place, {
    fsCache: false,
    moduleCache: true,
    sourceMaps: true,
    virtualModules: own,
  });
  try {
    const exports: unknown = await jiti.import(place);
    return typeof exports === "object" && exports !== null ? { ...exports } : { default: exports };
  } catch (error) {
    return fail("E_GRADCHECK_FILE", `${file}: ${importText(error, place)}`, { cause: error });
  }
}

/** What went wrong while a file was imported, and where in it. */
function importText(error: unknown, place: string): string {
  if (!(error instanceof Error)) return `it threw ${thrownValue(error)} while it was imported`;
  const first = error.message.split("\n")[0]!.trim().replaceAll(place, path.basename(place));
  const line = new RegExp(`${escaped(place)}:(\\d+)`).exec(`${error.message}\n${error.stack}`)?.[1];
  const where = line === undefined ? "" : ` (line ${line})`;
  const kind = error instanceof GradstandError || /^\w*Error:/.test(first) ? "" : `${error.name}: `;
  return `it cannot be imported${where}: ${kind}${first}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
