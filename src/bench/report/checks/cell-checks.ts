import type { BenchReportV2, CellFigures, Report } from "../document-v2.js";
import { childPath } from "../path.js";
import { canonicalText } from "../serialize.js";
import { figureCheck, type Clue } from "./check.js";

/**
 * The steps of every cell that was trained to its end, and every cell's metric against each place of the report that shows it: its row of the sweep and the final
 * values.
 */
export function cellChecks(report: Report, bench: BenchReportV2, prefix: string): Clue[] {
  const cells = new Map(bench.cells.map((cell, at) => [identity(cell.arm, cell.cfg, cell.seed), at]));
  const shown = placesOf(bench, prefix);
  const metrics = shown.flatMap(({ id, path, value }) => {
    const at = cells.get(id);
    if (at === undefined) return [missingCell(bench, prefix, path)];
    return [
      figureCheck(report, `${childPath(`${prefix}cells`, at)}.metric`, value, {
        note: `as ${path}`,
        suspects: [{ path, implied: bench.cells[at].metric }],
      }),
    ];
  });
  return [...metrics, ...stepChecks(report, bench, prefix), ...parameterChecks(report, bench, prefix)];
}

function missingCell(bench: BenchReportV2, prefix: string, path: string): Clue {
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

/** A cell trained to its end took a step for each batch of each epoch. */
function stepChecks(report: Report, bench: BenchReportV2, prefix: string): Clue[] {
  const { epochs, n_train: size, batch_size: batch } = bench.protocol;
  const scored = (bench.controls?.arms ?? []).filter(({ kind }) => kind === "evaluated");
  const untrained = new Set(scored.map(({ name }) => `control:${name}`));
  return bench.cells.flatMap(({ status, arm }, at) => {
    if (status !== "ok") return [];
    const path = `${childPath(`${prefix}cells`, at)}.steps`;
    if (untrained.has(arm))
      return [figureCheck(report, path, 0, { note: "an evaluated control is not trained" })];
    return [figureCheck(report, path, epochs * Math.ceil(size / batch), { note: "epochs times batches" })];
  });
}

/** Models of one arm and configuration have one size: that of most of them. */
function parameterChecks(report: Report, { cells }: BenchReportV2, prefix: string): Clue[] {
  const sizes = new Map<string, number[]>();
  const modelOf = ({ arm, cfg }: CellFigures): string => identity(arm, cfg, "");
  for (const cell of cells) sizes.set(modelOf(cell), [...(sizes.get(modelOf(cell)) ?? []), cell.parameters]);
  const usual = new Map([...sizes].map(([model, counts]) => [model, mostFrequent(counts)]));
  return cells.map((cell, at) =>
    figureCheck(report, `${childPath(`${prefix}cells`, at)}.parameters`, usual.get(modelOf(cell))!, {
      note: "as the other cells of its arm and configuration",
    }),
  );
}

function mostFrequent(values: readonly number[]): number {
  const count = (value: number): number => values.filter((other) => other === value).length;
  return values.reduce((best, value) => (count(value) > count(best) ? value : best), values[0]);
}

function placesOf(bench: BenchReportV2, prefix: string): { id: string; path: string; value: number }[] {
  return (["baseline", "idea"] as const).flatMap((arm) => {
    const final = arm === "baseline" ? bench.baseline.full.per_seed : bench.idea.per_seed;
    const finalPath = arm === "baseline" ? `${prefix}baseline.full.per_seed` : `${prefix}idea.per_seed`;
    const place = (cfg: CellFigures["cfg"], seed: string, path: string, at: number, value: number) => ({
      id: identity(arm, cfg, seed),
      path: childPath(path, at),
      value,
    });
    return [
      ...bench[arm].sweep.flatMap((row, index) =>
        row.per_seed.map((value, at) =>
          place(row.cfg, row.seeds[at], `${childPath(`${prefix}${arm}.sweep`, index)}.per_seed`, at, value),
        ),
      ),
      ...final.map((value, at) => place(bench[arm].best_cfg, bench.protocol.seeds[at], finalPath, at, value)),
    ];
  });
}

function identity(arm: CellFigures["arm"], cfg: CellFigures["cfg"], seed: string): string {
  return `${arm} ${canonicalText(cfg)} ${seed}`;
}
