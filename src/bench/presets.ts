import type { EvaluatedPart } from "./cells/spec.js";

/** The sizes and the learning rates that a preset sets for one track. */
export interface TrackProtocol {
  readonly trainSize: number;
  /** Series that the configurations are chosen on; 0 where the preset chooses on the test part. */
  readonly validationSize: number;
  readonly testSize: number;
  readonly epochs: number;
  readonly rates: readonly number[];
}

/** A protocol by name. */
export interface Preset {
  readonly name: string;
  readonly description: string;
  /** The default seeds of the final models, the same for every arm. */
  readonly seeds: readonly number[];
  /** The seeds that rank the configurations; null where the final models themselves do. */
  readonly tuningSeeds: readonly number[] | null;
  readonly batchSize: number;
  readonly optimizer: "adam";
  /** What the best configuration is chosen on. */
  readonly selection: EvaluatedPart;
  /** How often a best rate at an end of the grid may extend it. */
  readonly mostExtensions: number;
  readonly alpha: number;
  /** False when a run of this preset must not be judged, whatever came out. */
  readonly verdict: boolean;
  readonly tracks: Readonly<Record<string, TrackProtocol>>;
}

const dynamicsRates = [0.001, 0.003, 0.006];
const sequenceRates = [0.001, 0.003, 0.01];
/** Of the tracks that no report used. */
const widerRates = [0.003, 0.01, 0.03];
const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => first + at);

/** The first of the seeds that only tune; far above any number of final seeds. */
const FIRST_TUNING_SEED = 1_000_000;

/** So many seeds that only tune. */
export const tuningSeedsOf = (count: number): readonly number[] => seedsFrom(FIRST_TUNING_SEED, count);

const shared = { batchSize: 32, optimizer: "adam", alpha: 0.05 } as const;
const onTest = { selection: "test", tuningSeeds: null, mostExtensions: 0 } as const;

const standardSizes = { trainSize: 2000, validationSize: 500, testSize: 2000, epochs: 20 } as const;

const standard: Preset = {
  ...shared,
  name: "standard",
  description:
    "rates chosen on a validation part with 4 seeds of their own, the same grid and budget in both arms, extended at its " +
    "ends twice at most; 16 paired final seeds, the only ones to read the test part; strict verdict",
  seeds: seedsFrom(0, 16),
  tuningSeeds: tuningSeedsOf(4),
  selection: "validation",
  mostExtensions: 2,
  verdict: true,
  tracks: {
    dynamics: { ...standardSizes, rates: [0.001, 0.003, 0.01] },
    sequence: { ...standardSizes, rates: [0.001, 0.003, 0.01] },
    field: { ...standardSizes, rates: widerRates },
    recall: { ...standardSizes, rates: widerRates },
    language: { ...standardSizes, trainSize: 7000, testSize: 1000, epochs: 4, rates: widerRates },
    digits: { ...standardSizes, rates: widerRates },
  },
};

const seed: Preset = {
  ...shared,
  ...onTest,
  name: "seed",
  description:
    "the protocol of the two stage-2 reports: 8 paired seeds, the learning rate chosen on the test part",
  seeds: seedsFrom(0, 8),
  verdict: true,
  tracks: {
    dynamics: { trainSize: 400, validationSize: 0, testSize: 400, epochs: 8, rates: dynamicsRates },
    sequence: { trainSize: 200, validationSize: 0, testSize: 100, epochs: 3, rates: sequenceRates },
  },
};

const smokeSizes = { trainSize: 64, validationSize: 0, testSize: 64, epochs: 1 } as const;

const quick: Preset = {
  ...shared,
  ...onTest,
  name: "quick",
  description: "a smoke run of seconds: 2 seeds, 1 epoch, 64 series; refuses a verdict",
  seeds: seedsFrom(0, 2),
  verdict: false,
  tracks: {
    dynamics: { ...smokeSizes, rates: dynamicsRates },
    sequence: { ...smokeSizes, rates: sequenceRates },
    field: { ...smokeSizes, rates: widerRates },
    recall: { ...smokeSizes, rates: widerRates },
    language: { ...smokeSizes, rates: widerRates },
    digits: { ...smokeSizes, rates: widerRates },
  },
};

/** The presets by name. */
export const presets: ReadonlyMap<string, Preset> = new Map(
  [standard, seed, quick].map((preset) => [preset.name, preset]),
);

/** The preset of a run that names none. */
export const defaultPreset = standard.name;
