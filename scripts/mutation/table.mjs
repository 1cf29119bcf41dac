/**
 * The table of mutants: every one a plausible human error in `src`, with the tests that have to notice it.
 *
 * A file of `mutants/` is a family: its default export is a list of
 *
 *     { id, file, target, kind, find, replace, occurrences?, tests, named?, kernels?, equivalent? }
 *
 * - `target`: names of the operations, layers, kernels or functions that the error is in.
 * - `find`, `replace`: exact text; `find` stands in the file `occurrences` times (1 unless given), and all are replaced.
 * - `tests`: the test files of which one must fail.
 * - `named`: only tests whose full names match this pattern are run, for speed.
 * - `kernels`: when `file` is one of their sources, the modules (`…/assembly/NAME.ts`) that the tests use.
 * - `equivalent`: why no test can notice it; it is then not run.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const folder = join(root, "scripts/mutation/mutants");

/** All mutants with their family, families by name and mutants as they stand. */
export async function mutants() {
  const all = [];
  for (const name of readdirSync(folder).sort()) {
    const { default: list } = await import(pathToFileURL(join(folder, name)).href);
    for (const mutant of list) all.push({ family: basename(name, ".mjs"), occurrences: 1, ...mutant });
  }
  return all;
}

/** How often a text stands in another. */
function countOf(text, part) {
  return text.split(part).length - 1;
}

/** What is wrong with the table; nothing when it fits the sources. */
export function faults(all) {
  const found = [];
  const known = new Set();
  for (const { id, file, find, replace, occurrences, tests, target, kind, kernels } of all) {
    const say = (what) => found.push(`${id}: ${what}`);
    if (known.has(id)) say("the id is used twice");
    known.add(id);
    if (!kind || !(target?.length > 0) || !(tests?.length > 0)) say("kind, target or tests are missing");
    for (const test of tests ?? []) if (!existsSync(join(root, test))) say(`there is no ${test}`);
    if (file.includes("/assembly/") !== kernels?.length > 0)
      say("kernels belong to sources of kernels, and only to them");
    for (const kernel of kernels ?? []) if (!existsSync(join(root, kernel))) say(`there is no ${kernel}`);
    if (find === replace) say("find and replace are the same");
    if (!existsSync(join(root, file))) say(`there is no ${file}`);
    else {
      const count = countOf(readFileSync(join(root, file), "utf8"), find);
      if (count !== occurrences)
        say(`stale: its text stands ${count} times in ${file}, expected ${occurrences}`);
    }
  }
  return found;
}

/** The source with the mutant in it. */
export function mutated(text, { find, replace }) {
  return text.split(find).join(replace);
}
