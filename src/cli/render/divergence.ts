import type { BenchReportV2 } from "../../bench/report/index.js";

/** Which arm diverged on how many seeds, as a clause; undefined when none did and the arms can be compared. */
export function divergence({ baseline, idea }: Pick<BenchReportV2, "baseline" | "idea">): string | undefined {
  const arms = [
    ["the baseline", baseline.full.per_seed],
    ["the idea", idea.per_seed],
  ] as const;
  const clauses = arms.flatMap(([arm, values]) => {
    const lost = values.filter((value) => !Number.isFinite(value)).length;
    return lost === 0 ? [] : [`${arm} diverged on ${lost} of ${values.length} seeds`];
  });
  return clauses.length === 0 ? undefined : `${clauses.join(", ")}: the arms cannot be compared`;
}
