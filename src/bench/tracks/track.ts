/** What a track feeds a model: series of `steps` readings with `features` numbers each. */
export interface SeriesInput {
  readonly kind: "series";
  readonly steps: number;
  readonly features: number;
}

/** How many series each part of the data has. */
export interface SplitSizes {
  readonly train: number;
  readonly test: number;
}

/** One part of a track's data: `x` is `[count, steps, features]`, `y` is `[count, outputs]`, both row-major. */
export interface Split {
  readonly count: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** The data of one seed. */
export interface TrackData {
  readonly train: Split;
  readonly test: Split;
}

/** A predictor without any network, scored on the test part with the track's metric. */
export interface FloorValue {
  readonly name: string;
  readonly value: number;
}

/** A task: data made from a seed, a metric, and the floors that a model has to beat to say anything. */
export interface Track {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly metric: "MSE";
  readonly direction: "lower" | "higher";
  readonly defaultModel: string;
  readonly input: SeriesInput;
  /** Numbers to predict for each series. */
  readonly outputs: number;
  /**
   * The data of one seed, the same bits on every machine. It is drawn from the seed's stream "data", each part from
   * a stream of its own, series after series: a longer part begins with the shorter one, and no part shifts another.
   */
  make(seed: number, sizes: SplitSizes): TrackData;
  /** The floors on the test part, fitted on the training part. */
  floors(data: TrackData): readonly FloorValue[];
}
