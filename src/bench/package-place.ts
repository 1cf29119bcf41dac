import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fail } from "../errors/index.js";

const here = fileURLToPath(import.meta.url);

/** Whether this is the TypeScript source that runs, not the built package. */
export const runsFromSources = here.endsWith(".ts");

let root: string | undefined;

/** The folder of the package: the nearest one above this module whose package.json is this package's. */
export function packageRoot(): string {
  root ??= rootAbove(path.dirname(here));
  return root;
}

function rootAbove(folder: string): string {
  const manifest = path.join(folder, "package.json");
  if (fs.existsSync(manifest)) {
    const { name } = JSON.parse(fs.readFileSync(manifest, "utf8")) as { name?: unknown };
    if (name === "gradstand") return folder;
  }
  const above = path.dirname(folder);
  if (above === folder)
    fail("E_INTERNAL", `expected the package.json of gradstand in a folder above ${here}`);
  return rootAbove(above);
}
