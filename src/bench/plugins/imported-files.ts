import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { extensions } from "./extensions.js";

/** A file and everything that it imports by a relative path, directly or not. */
export interface ImportedFiles {
  /** SHA-256 over names and contents. */
  readonly hash: string;
  /** The package's own entries that they import, such as `gradstand/nn`. */
  readonly own: readonly string[];
}

/** What follows `from`, `import`, `import(`, `require(`: also in comments, where one file more does no harm. */
const specifiers = /\b(?:from|import|require)\s*\(?\s*(["'`])([^"'`\n]+)\1/g;

/**
 * Follows the imports of a file as they stand in its text. A path that is computed when the module runs, and a file that is
 * read rather than imported, cannot be found this way; nor is what lies in `node_modules`.
 */
export function importedFiles(main: string): ImportedFiles {
  const root = path.dirname(main);
  const own = new Set<string>();
  const contents = new Map<string, string>();
  const queue = [main];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (contents.has(file)) continue;
    const content = fs.readFileSync(file);
    contents.set(file, createHash("sha256").update(content).digest("hex"));
    if (path.extname(file) === ".json") continue;
    for (const [, , specifier] of content.toString("utf8").matchAll(specifiers)) {
      if (specifier.startsWith(".")) {
        const found = resolveRelative(path.resolve(path.dirname(file), specifier));
        if (found !== undefined) queue.push(found);
      } else if (/^gradstand(\/|$)/.test(specifier)) own.add(specifier);
    }
  }
  // The main file's own name decides nothing, so that it may be renamed.
  const nameOf = (file: string): string =>
    file === main ? "." : path.relative(root, file).replaceAll(path.sep, "/");
  const lines = [...contents].map(([file, content]) => `${nameOf(file)} ${content}\n`).sort();
  return { hash: createHash("sha256").update(lines.join("")).digest("hex"), own: [...own] };
}

/** The file that a relative import means: as written, with an ending, with the TypeScript ending of a JavaScript one, or an index. */
function resolveRelative(target: string): string | undefined {
  const written = [...extensions, ".json"];
  const typed = /\.[cm]?js$/.test(target) ? [target.replace(/js$/, "ts")] : [];
  const candidates = [
    target,
    ...typed,
    ...written.map((ending) => target + ending),
    ...written.map((ending) => path.join(target, `index${ending}`)),
  ];
  return candidates.find((file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile());
}
