import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The folders of the package whose code decides what a cell computes. */
const DECIDING = [
  "errors",
  "random",
  "stats",
  "tensor",
  "autograd",
  "nn",
  "ideas",
  "bench/tracks",
  "bench/models",
  "bench/cells",
];

const EXTENSION = path.extname(fileURLToPath(import.meta.url));

/** The package's code as it runs: `dist`, or `src` when run from the sources. */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let known: string | undefined;

/**
 * Hash of the package's own code that decides results: names and contents of every module of the core and of the
 * bench's tracks, models and cells. Two runs with the same fingerprint may share stored cells.
 */
export function packageFingerprint(): string {
  known ??= fingerprintOf(ROOT, DECIDING);
  return known;
}

/** SHA-256 over the names and contents of the modules in `folders` under `root`. */
export function fingerprintOf(root: string, folders: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of folders.flatMap((folder) => modulesIn(root, folder)).sort()) {
    const content = createHash("sha256")
      .update(fs.readFileSync(path.join(root, file)))
      .digest("hex");
    hash.update(`${file} ${content}\n`);
  }
  return hash.digest("hex");
}

/** Paths of the modules under a folder, relative to `root`, with forward slashes. */
function modulesIn(root: string, folder: string): string[] {
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return modulesIn(root, name);
    const isModule = name.endsWith(EXTENSION) && !name.endsWith(".d.ts");
    return isModule ? [name] : [];
  });
}
