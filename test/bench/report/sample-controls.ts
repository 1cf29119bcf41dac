import type { CellRecord, ControlRecord, RunRecord } from "../../../src/bench/record.js";

/** The controls of {@link withControls}: names, kinds, and by how much they are worse than the idea. */
const samples = [
  { name: "much-worse", kind: "trained", factor: 3 },
  { name: "alike", kind: "trained", factor: 1 },
  { name: "oracle", kind: "evaluated", factor: 0.5 },
] as const;

/** A run with three controls beside it that are arms, and one that is the baseline. */
export function withControls(run: RunRecord): RunRecord {
  const { seeds } = run.protocol;
  const unlike = (lr: number): number => (run.direction === "lower" ? 2 + lr : 1 / (2 + lr));
  const controls = samples.map(({ name, kind, factor }): ControlRecord => {
    const worse = run.direction === "lower" ? factor : 1 / factor;
    const values = run.ideaArm.values.map((value, at) =>
      Math.fround(value * worse * (1 + (((at * 3) % 7) - 3) / 200)),
    );
    const words = {
      name,
      title: `the ${name} one`,
      statement: `C = ${factor} H`,
      why: `${factor} is enough`,
    };
    const sweep = run.ideaArm.sweep.map(({ cfg }) => ({
      cfg,
      seeds,
      values: values.map((value) => (cfg === run.ideaArm.best ? value : Math.fround(value * unlike(cfg.lr)))),
    }));
    return {
      control: { ...words, kind },
      sweep: kind === "trained" ? sweep : [],
      best: run.ideaArm.best,
      seeds,
      values,
    };
  });
  return {
    ...run,
    controls,
    baselineControls: [
      {
        name: "plain",
        title: "nothing",
        statement: "C = H",
        why: "it is compared as such",
        kind: "baseline",
      },
    ],
    cells: [...run.cells, ...controls.flatMap(cellsOf)],
  };
}

function cellsOf({ control: { name, kind }, sweep, best, seeds, values }: ControlRecord): CellRecord[] {
  const rows = kind === "trained" ? sweep : [{ cfg: best, seeds, values }];
  return rows.flatMap((row, at) =>
    row.seeds.map((seed, place) => ({
      key: `${name}-${at}-${seed}`,
      arm: `control:${name}` as const,
      cfg: row.cfg,
      seed,
      evaluated: "test",
      status: Number.isFinite(row.values[place]) ? "ok" : "diverged",
      metric: row.values[place],
      curve: kind === "trained" ? [0.5, 0.1 + seed / 128] : [],
      parameters: 6497,
      steps: kind === "trained" ? 104 : 0,
      seconds: 0.625 + seed / 32,
    })),
  );
}
