import type { BenchReportV2 } from "../document-v2.js";
import type { Clue } from "./check.js";

/** What fails when a value of the report at `path` has no cell behind it. */
export function missingCell(bench: BenchReportV2, prefix: string, path: string): Clue {
  return {
    kind: "figure",
    path: `${prefix}cells`,
    reported: bench.cells.length,
    recomputed: "a cell more",
    relativeError: undefined,
    holds: false,
    note: `no cell stands behind ${path}`,
    implied: undefined,
    suspects: [],
  };
}
