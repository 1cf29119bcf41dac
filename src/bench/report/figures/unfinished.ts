import type { BenchReport, BenchReportV2, CellFigures } from "../document-v2.js";
import { armFigures, lostSeeds } from "./arm-figures.js";
import { finalCells } from "./cost.js";

/** Whether a cell has no result: its worker died, its memory ran out, or it took longer than it may. */
export function isUnfinished({ status }: Pick<CellFigures, "status">): boolean {
  return status === "failed" || status === "timeout";
}

/** The cells of a report that did not end, in words, and the measurements of mechanisms that did not. */
export function unfinishedCells(
  bench: BenchReportV2,
): readonly { readonly what: string; readonly status: string }[] {
  return [
    ...bench.cells.filter(isUnfinished).map(({ arm, cfg, seed, status }) => ({
      what: [
        arm,
        ...Object.entries(cfg).map(([name, value]) => `${name}=${String(value)}`),
        `seed=${seed}`,
      ].join(" "),
      status,
    })),
    ...(bench.unmeasured ?? []).map(({ seed, status }) => ({ what: `mechanism of seed ${seed}`, status })),
  ];
}

/** How many final seeds of an arm have no value, since their cells did not end. */
export function unfinishedSeeds(bench: BenchReport, arm: "baseline" | "idea"): number {
  return unfinishedPlaces(bench, arm).size;
}

/** The mean of the baseline over the seeds whose cells have ended: those without a value say nothing of it. NaN when none has. */
export function meanOfEnded(bench: BenchReportV2): number {
  const gone = unfinishedPlaces(bench, "baseline");
  return armFigures(bench.baseline.full.per_seed.filter((_, at) => !gone.has(at))).mean;
}

/** What befell the seeds of a report, or of one arm, that have no finite metric. */
export function lossOf(
  bench: BenchReport,
  arms: readonly ("baseline" | "idea")[] = ["baseline", "idea"],
): "diverged" | "did not end" | "diverged or did not end" {
  const unfinished = arms.reduce((sum, arm) => sum + unfinishedSeeds(bench, arm), 0);
  if (unfinished === 0) return "diverged";
  const lost = lostSeeds(arms.flatMap((arm) => valuesOf(bench, arm)));
  return lost <= unfinished ? "did not end" : "diverged or did not end";
}

/** The places among the final seeds of an arm whose cells did not end. */
export function unfinishedPlaces(bench: BenchReport, arm: "baseline" | "idea"): ReadonlySet<number> {
  if (bench.bench_version === 1 || !bench.cells.some(isUnfinished)) return new Set();
  const gone = new Set(
    finalCells(bench)
      .filter((cell) => cell.arm === arm && isUnfinished(cell))
      .map(({ seed }) => seed),
  );
  return new Set(bench.protocol.seeds.flatMap((seed, at) => (gone.has(seed) ? [at] : [])));
}

const valuesOf = (bench: BenchReport, arm: "baseline" | "idea"): readonly number[] =>
  arm === "baseline" ? bench.baseline.full.per_seed : bench.idea.per_seed;
