import type { Config } from "./record.js";

/** The sizes and the grid that a preset sets for one track. */
export interface TrackProtocol {
  readonly trainSize: number;
  readonly testSize: number;
  readonly epochs: number;
  readonly grid: readonly Config[];
}

/** A protocol by name. */
export interface Preset {
  readonly name: string;
  readonly description: string;
  /** The default seeds, the same for both arms. */
  readonly seeds: readonly number[];
  readonly batchSize: number;
  readonly optimizer: "adam";
  /** What the best configuration is chosen on. */
  readonly selection: "test";
  readonly alpha: number;
  /** False when a run of this preset must not be judged, whatever came out. */
  readonly verdict: boolean;
  readonly tracks: Readonly<Record<string, TrackProtocol>>;
}

const rates = (...values: number[]): readonly Config[] => values.map((lr) => ({ lr }));
const dynamicsGrid = rates(0.001, 0.003, 0.006);
const sequenceGrid = rates(0.001, 0.003, 0.01);
const firstSeeds = (count: number): readonly number[] => Array.from({ length: count }, (_, seed) => seed);

const shared = { batchSize: 32, optimizer: "adam", selection: "test", alpha: 0.05 } as const;

const seed: Preset = {
  ...shared,
  name: "seed",
  description:
    "the protocol of the two stage-2 reports: 8 paired seeds, the learning rate chosen on the test part",
  seeds: firstSeeds(8),
  verdict: true,
  tracks: {
    dynamics: { trainSize: 400, testSize: 400, epochs: 8, grid: dynamicsGrid },
    sequence: { trainSize: 200, testSize: 100, epochs: 3, grid: sequenceGrid },
  },
};

const quick: Preset = {
  ...shared,
  name: "quick",
  description: "a smoke run of seconds: 2 seeds, 1 epoch, 64 series; refuses a verdict",
  seeds: firstSeeds(2),
  verdict: false,
  tracks: {
    dynamics: { trainSize: 64, testSize: 64, epochs: 1, grid: dynamicsGrid },
    sequence: { trainSize: 64, testSize: 64, epochs: 1, grid: sequenceGrid },
  },
};

/** The presets by name. */
export const presets: ReadonlyMap<string, Preset> = new Map(
  [seed, quick].map((preset) => [preset.name, preset]),
);

/** The preset of a run that names none. */
export const defaultPreset = seed.name;
