import type { Checker } from "./checks/all-checks.js";
import type { Clue, Suspect } from "./checks/check.js";
import type { Report } from "./document-v2.js";
import { withValueAt } from "./path.js";

/** As many differences as are tried together: each doubles the number of trials. */
const mostTogether = 5;

/**
 * Several altered per-seed values at once: of each difference that fails, one of its two values is replaced
 * by what the difference implies. Returns the replacements with which every check holds, or `undefined`.
 */
export function jointRepair(
  report: Report,
  failing: readonly Clue[],
  checker: Checker,
): Suspect[] | undefined {
  const differences = failing.filter(({ path }) => /\.per_seed_diffs\[\d+\]$/.test(path));
  if (differences.length < 2 || differences.length > mostTogether) return undefined;
  const holds = (clues: readonly Clue[]): boolean => clues.every((clue) => clue.holds);
  return choices(differences.map(({ suspects }) => suspects)).find((chosen) => {
    const mended = chosen.reduce(
      (document, { path, implied }) => withValueAt(document, path, implied),
      report,
    );
    return holds(checker.cheap(mended)) && holds(checker.all(mended));
  });
}

/** Every way to take one of each group. */
function choices<Item>(groups: readonly (readonly Item[])[]): Item[][] {
  return groups.reduce<Item[][]>(
    (taken, group) => taken.flatMap((items) => group.map((item) => [...items, item])),
    [[]],
  );
}
