import { lostSeeds } from "../../bench/report/figures/arm-figures.js";
import { lossOf } from "../../bench/report/figures/unfinished.js";
import type { BenchReportV2 } from "../../bench/report/index.js";

/** Which arm diverged on how many seeds, as a clause; undefined when none did and the arms can be compared. */
export function divergence(bench: BenchReportV2): string | undefined {
  const arms = [
    ["baseline", bench.baseline.full.per_seed],
    ["idea", bench.idea.per_seed],
  ] as const;
  const clauses = arms.flatMap(([arm, values]) => {
    const lost = lostSeeds(values);
    return lost === 0 ? [] : [`the ${arm} ${lossOf(bench, [arm])} on ${lost} of ${values.length} seeds`];
  });
  return clauses.length === 0 ? undefined : `${clauses.join(", ")}: the arms cannot be compared`;
}
