import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fail } from "../../errors/index.js";
import { packageRoot, runsFromSources } from "../package-place.js";

/** The folders of the package whose code decides what a cell computes. */
export const decidingFolders: readonly string[] = [
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
  "bench/plugins",
  "bench/study/cells",
];

let known: string | undefined;

/**
 * Hash of the package's own code that decides results: names and contents of every source module of the core and of the
 * bench's tracks, models, cells, plug-ins and studies, of the built package as recorded by its build. Two runs with the same fingerprint may
 * share stored cells. Throws `E_INTERNAL` when the build left none.
 */
export function packageFingerprint(): string {
  known ??= runsFromSources ? sourceFingerprint() : recorded();
  return known;
}

/** The fingerprint of the sources as they are now. */
export function sourceFingerprint(): string {
  return fingerprintOf(path.join(packageRoot(), "src"), decidingFolders);
}

/** The fingerprint that the build left beside its result. */
function recorded(): string {
  const file = path.join(packageRoot(), "dist", "fingerprint");
  if (!fs.existsSync(file))
    fail("E_INTERNAL", `expected the build's fingerprint in ${file}; run \`npm run build\``);
  return fs.readFileSync(file, "utf8").trim();
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
    const isModule = name.endsWith(".ts") && !name.endsWith(".d.ts");
    return isModule ? [name] : [];
  });
}
