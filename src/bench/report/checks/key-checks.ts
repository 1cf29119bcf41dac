import type { BenchReportV2 } from "../document-v2.js";
import { cellKeys } from "../figures/cell-keys.js";
import { childPath } from "../path.js";
import type { Clue } from "./check.js";

/**
 * The name of each cell in the store, where the report has all that it is the hash of. No other value is suspected for it: from a hash
 * nothing follows.
 */
export function keyChecks(bench: BenchReportV2, prefix: string): Clue[] {
  return (cellKeys(bench) ?? []).map((key, at): Clue => {
    const reported = bench.cells[at].key;
    return {
      kind: "figure",
      path: `${childPath(`${prefix}cells`, at)}.key`,
      reported,
      recomputed: key,
      relativeError: undefined,
      holds: reported === key,
      note: "the hash of the cell's specification and of the code that computed it",
      implied: undefined,
      suspects: [],
    };
  });
}
