import type { Recomputation } from "../bench/report/figures/recomputation.js";
import { verifyReport, type ReportV2 } from "../bench/report/index.js";
import { fail } from "../errors/index.js";
import { valueText } from "./render/value-text.js";

/**
 * A report that does not verify would be a fault of this package: it is not written. `costly` as for `verifyReport`. Throws
 * `E_INTERNAL`.
 */
export function requireHolds(report: ReportV2, costly?: Recomputation): void {
  const { holds, faults } = verifyReport(report, costly);
  if (holds) return;
  const found = faults.map(
    ({ path, reported, implied, why }) =>
      `${path} is ${valueText(reported)}, should be ${valueText(implied)} (${why})`,
  );
  fail("E_INTERNAL", `the report does not verify: ${found.join("; ")}`);
}
