import fs from "node:fs";
import path from "node:path";
import { fail, formatGiven, GradstandError, type ErrorCode } from "../../errors/index.js";
import { extensions } from "./extensions.js";
import { importedFiles } from "./imported-files.js";
import { ownModules } from "./own-modules.js";

/** A module of a user's and the hash of what it was loaded from. */
export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>;
  /** The default export, or what CommonJS gave to `module.exports`; undefined without one. */
  readonly main: unknown;
  readonly hash: string;
}

/**
 * Loads a TypeScript or JavaScript file, which needs no build step, anew each time. What it imports as `gradstand/…` is what
 * this thread runs itself.
 *
 * @param code of the error when it cannot be read, has a syntax error, or throws while it is imported, with the line
 */
export async function loadModule(file: string, code: ErrorCode): Promise<LoadedModule> {
  const place = path.resolve(file);
  if (!extensions.includes(path.extname(place)))
    fail(code, `${file}: expected a file that ends in ${extensions.join(", ")}`);
  if (!fs.statSync(place, { throwIfNoEntry: false })?.isFile()) fail(code, `${file}: there is no such file`);
  process.setSourceMapsEnabled(true);
  try {
    const { hash, own } = importedFiles(place);
    // Only who loads a file waits for it.
    const { createJiti } = await import("jiti");
    const jiti = createJiti(place, {
      fsCache: false,
      moduleCache: false,
      sourceMaps: true,
      virtualModules: await ownModules(own),
    });
    // Not import(): that hands some JavaScript to Node, which keeps the first version of a module for good.
    const exports: unknown = await jiti.evalModule(fs.readFileSync(place, "utf8"), {
      filename: place,
      async: true,
      forceTranspile: true,
    });
    if (importedFiles(place).hash !== hash)
      fail(code, `${file}: it changed while it was imported; try again`);
    if (typeof exports !== "object" || exports === null)
      return { exports: { default: exports }, main: exports, hash };
    const named = { ...exports } as Record<string, unknown>;
    const isCommonJs = !("__esModule" in exports) && Object.keys(named).length > 0;
    return { exports: named, main: named.default ?? (isCommonJs ? named : undefined), hash };
  } catch (error) {
    if (error instanceof GradstandError && error.code === code) throw error;
    return fail(code, `${file}: ${importText(error, place)}`, { cause: error });
  }
}

/** What went wrong while a file was imported, and where in it. */
function importText(error: unknown, place: string): string {
  if (!(error instanceof Error)) return `it threw ${formatGiven(error)} while it was imported`;
  const first = error.message.split("\n")[0]!.trim().replaceAll(place, path.basename(place));
  const line = new RegExp(`${escaped(place)}:(\\d+)`).exec(`${error.message}\n${error.stack}`)?.[1];
  const where = line === undefined ? "" : ` (line ${line})`;
  const kind = error instanceof GradstandError || /^\w*Error:/.test(first) ? "" : `${error.name}: `;
  return `it cannot be imported${where}: ${kind}${first}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
