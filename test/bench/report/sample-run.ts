import type { ArmRecord, CellRecord, Config, RunRecord } from "../../../src/bench/record.js";
import type { FurtherMetric } from "../../../src/bench/tracks/index.js";
import type { Claim, Signature } from "../../../src/ideas/index.js";

/** What a sample run may have that is unlike the usual one. */
export interface SampleSettings {
  readonly baseline?: readonly number[];
  readonly idea?: readonly number[];
  readonly direction?: "lower" | "higher";
  readonly floor?: readonly number[];
  readonly preset?: string;
  readonly selection?: "test" | "validation";
  readonly confirmed?: boolean;
  readonly controlRefuted?: boolean;
  readonly checksPass?: boolean;
  readonly best?: number;
  /** The position of the idea's best rate in the grid; that of the baseline when absent. */
  readonly ideaBest?: number;
  /** Figures beside the metric, by their names; each cell has made-up values of them. */
  readonly further?: readonly FurtherMetric[];
  readonly tuningSeeds?: { readonly baseline: readonly number[]; readonly idea: readonly number[] };
}

const grid: readonly Config[] = [{ lr: 0.001 }, { lr: 0.003 }, { lr: 0.006 }];

export const firstValues = [
  0.006943476852029562, 0.005382216069847345, 0.012206831015646458, 0.006380172912031412,
  0.0068011293187737465, 0.009766676463186741, 0.0037104773800820112, 0.0028411808889359236,
];
export const secondValues = [
  0.009002679027616978, 0.010305776260793209, 0.008358007296919823, 0.008188792504370213, 0.00483678886666894,
  0.009082159027457237, 0.006025956943631172, 0.004997001029551029,
];

/** A run as the bench records it, with invented cells around the given final values. */
export function sampleRun(settings: SampleSettings = {}): RunRecord {
  const {
    baseline = firstValues,
    idea = secondValues,
    direction = "lower",
    preset = "seed",
    selection = "test",
    confirmed = true,
    controlRefuted = true,
    checksPass = true,
    best = 1,
  } = settings;
  const seeds = baseline.map((_, seed) => seed);
  const ranking = selection === "validation" ? [1_000_000, 1_000_001, 1_000_002, 1_000_003] : seeds;
  const sweepSeeds = settings.tuningSeeds ?? { baseline: ranking, idea: ranking };
  const arms = {
    baseline: armOf(baseline, seeds, sweepSeeds.baseline, direction, best, selection),
    idea: armOf(idea, seeds, sweepSeeds.idea, direction, settings.ideaBest ?? best, selection),
  };
  const floor = settings.floor ?? baseline.map((value) => (direction === "lower" ? value * 4 : value / 4));
  return {
    idea: {
      name: "moment-rank2",
      title: "Moment-preserving rank-2 compression",
      options: { rank: 2, form: "B" },
    },
    track: "dynamics",
    model: "rnn_small",
    metric: "MSE",
    direction,
    ...(settings.further ? { furtherMetrics: settings.further } : {}),
    protocol: {
      preset,
      epochs: 8,
      trainSize: 400,
      validationSize: selection === "validation" ? 100 : 0,
      testSize: 400,
      batchSize: 32,
      optimizer: "adam",
      selection,
      rates: grid.map(({ lr }) => lr),
      grid,
      gridOptions: {},
      mostExtensions: 0,
      seeds,
      sweepSeeds,
      alpha: 0.05,
    },
    baseline: arms.baseline,
    ideaArm: arms.idea,
    extensions: [],
    controls: [],
    baselineControls: [],
    floors: [
      { name: "mean", seeds, values: floor.map((value) => value * (direction === "lower" ? 2 : 0.5)) },
      { name: "ridge", seeds, values: floor },
    ],
    checks: [
      { name: "projector", statement: "P² = P", observed: 3.1e-16, bound: 1e-12, passed: true },
      {
        name: "moments",
        statement: "P C(H) = P H",
        observed: 2.4e-8,
        bound: checksPass ? 5e-7 : 1e-9,
        passed: checksPass,
      },
    ],
    signatures: seeds.map((seed) => ({ seed, signature: signatureOf(seed, confirmed, controlRefuted) })),
    mechanism: {
      mechanism: {
        predicted: 0,
        observed: 2.4e-8,
        confirmed,
        trained_model: true,
        raw_norm: 39.97,
        unit: "per state",
      },
      mathematics: { passed: checksPass, max_moment_residual: 2.4e-8 },
      confirmed,
    },
    cells: (["baseline", "idea"] as const).flatMap((arm) =>
      cellsOf(arm, arms[arm], selection, settings.further),
    ),
    provenance: {
      command: "gradstand bench run moment-rank2",
      version: "0.1.0",
      node: "v20.20.2",
      v8: "11.3.244.8",
      platform: "linux x64",
      cpu: "a processor",
      workers: 2,
      kernels: "reference",
      fingerprint: "0123456789abcdef",
      started: "2026-01-01T00:00:00.000Z",
      seconds: 432.1,
    } as RunRecord["provenance"],
  };
}

/** Where the final models rank the configurations, the best row has the final values, on every seed. */
function armOf(
  values: readonly number[],
  seeds: readonly number[],
  sweepSeeds: readonly number[],
  direction: "lower" | "higher",
  best: number,
  selection: "test" | "validation",
): ArmRecord {
  const ranked = selection === "test" ? seeds : sweepSeeds;
  const base =
    selection === "test" ? values : ranked.map((_, at) => Math.fround(firstValues[at % 8]! * 1.25));
  const worse = (factor: number): number[] =>
    base.map((value, seed) =>
      Math.fround(value * (direction === "lower" ? factor : 1 / factor) * (1 + seed / 100)),
    );
  const sweep = grid.map((cfg, at) => ({ cfg, seeds: ranked, values: at === best ? base : worse(2 + at) }));
  return { sweep, best: grid[best], seeds, values };
}

function signatureOf(seed: number, confirmed: boolean, refuted: boolean): Signature {
  const claim: Claim = {
    quantity: "moment residual",
    statement: "max |P C(H) − P H|",
    where: "trained model",
    predicted: 0,
    observed: 1.5e-8 * (1 + seed),
    tolerance: 5e-7,
    held: confirmed,
    control: { what: "plain T_2", observed: 0.21 + seed / 10, refuted },
  };
  return { claims: [claim], confirmed: confirmed && refuted, figures: { perturbation: 0.4 + seed / 64 } };
}

function cellsOf(
  arm: "baseline" | "idea",
  { sweep, best, seeds: finalSeeds, values: finals }: ArmRecord,
  selection: "test" | "validation",
  further?: readonly FurtherMetric[],
): CellRecord[] {
  const figures = (row: number, seed: number): Readonly<Record<string, number>> =>
    Object.fromEntries(
      further!.map(({ name }, at) => [
        name,
        (arm === "idea" ? 0.3 : 0.4) + at + row / 7 + (seed % 1000) ** 2 / 90,
      ]),
    );
  const cell = (
    cfg: Config,
    row: number,
    seed: number,
    metric: number,
    evaluated: typeof selection,
  ): CellRecord => ({
    key: `${arm}-${row}-${seed}`,
    arm,
    cfg,
    seed,
    evaluated,
    status: Number.isFinite(metric) ? "ok" : "diverged",
    metric,
    ...(further && Number.isFinite(metric) ? { further: figures(row, seed) } : {}),
    curve: [0.5, 0.1 + (seed % 1000) / 128],
    parameters: arm === "idea" ? 13_000 : 12_994,
    steps: 104,
    seconds: 1.25 + (seed % 1000) / 16,
  });
  const tried = sweep.flatMap(({ cfg, seeds, values }, row) =>
    seeds.map((seed, at) => cell(cfg, row, seed, values[at]!, selection)),
  );
  if (selection === "test") return tried;
  const row = sweep.findIndex(({ cfg }) => cfg === best);
  return [...tried, ...finalSeeds.map((seed, at) => cell(best, row, seed, finals[at]!, "test"))];
}
