import type { BenchReportV2, CellFigures, Report } from "../document-v2.js";
import { cellIdentity } from "../figures/cell-identity.js";
import { isUnfinished } from "../figures/unfinished.js";
import { childPath } from "../path.js";
import { canonicalText } from "../serialize.js";
import { figureCheck, type Clue } from "./check.js";
import { missingCell } from "./missing-cell.js";

/**
 * The steps of every cell that was trained to its end, and every cell's metric against each place of the report that shows
 * it: its row of the sweep, and the final values, behind which only a cell that was evaluated on the test part may stand.
 */
export function cellChecks(report: Report, bench: BenchReportV2, prefix: string): Clue[] {
  const cells = new Map(bench.cells.map((cell, at) => [cellIdentity(cell), at]));
  const shown = placesOf(bench, prefix);
  const metrics = shown.flatMap(({ parts, path, value, ...place }) => {
    const at = parts
      .map((evaluated) => cells.get(cellIdentity({ ...place, evaluated })))
      .find(Number.isInteger);
    if (at === undefined) return [missingCell(bench, prefix, path)];
    return [
      figureCheck(report, `${childPath(`${prefix}cells`, at)}.metric`, value, {
        note: `as ${path}`,
        suspects: [{ path, implied: bench.cells[at].metric }],
      }),
    ];
  });
  return [
    ...metrics,
    ...statusChecks(report, bench, prefix),
    ...stepChecks(report, bench, prefix),
    ...parameterChecks(report, bench, prefix),
  ];
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

/** A cell that did not end says why and has no value; every other one says nothing of the kind. */
function statusChecks(report: Report, { cells }: BenchReportV2, prefix: string): Clue[] {
  return cells.flatMap((cell, at) => {
    const path = childPath(`${prefix}cells`, at);
    if (!isUnfinished(cell)) {
      return [
        ...(cell.status === "ok" && Number.isNaN(cell.metric)
          ? [statusCheck(report, path, "failed or timeout", "a cell without a value did not end")]
          : []),
        ...(cell.reason === undefined
          ? []
          : [statusCheck(report, path, "failed or timeout", "there is a reason why it did not end")]),
      ];
    }
    const note = "the cell did not end";
    return [
      figureCheck(report, `${path}.metric`, NaN, { note }),
      figureCheck(report, `${path}.steps`, 0, { note }),
      figureCheck(report, `${path}.parameters`, NaN, { note }),
      figureCheck(report, `${path}.curve.length`, 0, { note }),
      ...(cell.reason ? [] : [statusCheck(report, path, "ok or diverged", "no reason why it did not end")]),
    ];
  });
}

function statusCheck(report: Report, path: string, recomputed: string, note: string): Clue {
  return { ...figureCheck(report, `${path}.status`, recomputed, { note }), implied: undefined };
}

/** Models of one arm and configuration have one size: that of most of them. */
function parameterChecks(report: Report, { cells }: BenchReportV2, prefix: string): Clue[] {
  const sizes = new Map<string, number[]>();
  const modelOf = ({ arm, cfg }: CellFigures): string => `${arm} ${canonicalText(cfg)}`;
  const ended = cells.filter((cell) => !isUnfinished(cell));
  for (const cell of ended) sizes.set(modelOf(cell), [...(sizes.get(modelOf(cell)) ?? []), cell.parameters]);
  const usual = new Map([...sizes].map(([model, counts]) => [model, mostFrequent(counts)]));
  return cells.flatMap((cell, at) =>
    isUnfinished(cell)
      ? []
      : [
          figureCheck(report, `${childPath(`${prefix}cells`, at)}.parameters`, usual.get(modelOf(cell))!, {
            note: "as the other cells of its arm and configuration",
          }),
        ],
  );
}

function mostFrequent(values: readonly number[]): number {
  const count = (value: number): number => values.filter((other) => other === value).length;
  return values.reduce((best, value) => (count(value) > count(best) ? value : best), values[0]);
}

interface Place extends Pick<CellFigures, "arm" | "cfg" | "seed"> {
  readonly path: string;
  readonly value: number;
  /** The parts that the cell may have been evaluated on, the first one first. */
  readonly parts: readonly ("validation" | "test")[];
}

function placesOf(bench: BenchReportV2, prefix: string): Place[] {
  return (["baseline", "idea"] as const).flatMap((arm): Place[] => {
    const final = arm === "baseline" ? bench.baseline.full.per_seed : bench.idea.per_seed;
    const finalPath = arm === "baseline" ? `${prefix}baseline.full.per_seed` : `${prefix}idea.per_seed`;
    return [
      ...bench[arm].sweep.flatMap(({ cfg, seeds, per_seed }, row) =>
        per_seed.map((value, at): Place => {
          const path = childPath(`${childPath(`${prefix}${arm}.sweep`, row)}.per_seed`, at);
          return { arm, cfg, seed: seeds[at], path, value, parts: ["validation", "test"] };
        }),
      ),
      ...final.map((value, at): Place => {
        const path = childPath(finalPath, at);
        const seed = bench.protocol.seeds[at];
        return { arm, cfg: bench[arm].best_cfg, seed, path, value, parts: ["test"] };
      }),
    ];
  });
}
