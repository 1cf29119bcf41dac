/** What a track of readings feeds a model: series of `steps` readings with `features` numbers each. */
export interface SeriesInput {
  readonly kind: "series";
  readonly steps: number;
  readonly features: number;
}

/**
 * What a track of tokens feeds a model: `steps` positions with `features` tokens each, every token a whole number from 0
 * to `vocabulary` − 1. A position stands for all of its tokens at once: a model adds up their embeddings.
 */
export interface TokenInput {
  readonly kind: "tokens";
  readonly steps: number;
  readonly features: number;
  readonly vocabulary: number;
}

/**
 * What a track of text feeds a model: `steps` tokens, one a position, every token a whole number from 0 to `vocabulary` − 1. To
 * predict after each position: the class of what follows, from this and earlier positions alone. A model answers for every
 * position, series after series.
 */
export interface TextInput {
  readonly kind: "text";
  readonly steps: number;
  readonly features: 1;
  readonly vocabulary: number;
}

/** What a track feeds a model. */
export type TrackInput = SeriesInput | TokenInput | TextInput;

/**
 * What a model is trained on. With `squared error` a series has `outputs` numbers to predict, and the loss is their mean
 * squared error; with `cross-entropy` it has one class of `outputs`, in a text one for each position, and the loss is the mean
 * of −ln softmax(prediction)[class].
 */
export type TrackLoss = "squared error" | "cross-entropy";

/**
 * What a model is scored with. `MSE`: the mean of (prediction − target)² over all targets of a part, in their unit
 * squared, lower is better. `accuracy`: the share of series whose class has the largest prediction, the first of equal
 * ones counting as the largest; from 0 to 1, higher is better. `bits per character`, of a text: the mean of
 * −log₂ softmax(prediction)[class] over all positions, lower is better.
 */
export type MetricName = "MSE" | "accuracy" | "bits per character";

/** How many series each part of the data has; a part of 0 series is not drawn. */
export interface SplitSizes {
  readonly train: number;
  /** None when absent. */
  readonly validation?: number;
  readonly test: number;
}

/** Numbers in float32, or tokens and classes in int32. */
export type TrackNumbers = Float32Array | Int32Array;

/**
 * One part of a track's data, row-major: `x` is `[count, steps, features]`, readings or tokens; `y` is `[count, outputs]`
 * numbers, or `[count]` classes, of a text `[count, steps]`.
 */
export interface Split {
  readonly count: number;
  readonly x: TrackNumbers;
  readonly y: TrackNumbers;
}

/** The data of one seed. */
export interface TrackData {
  readonly train: Split;
  /** What configurations are chosen on where the test part is kept for the end. */
  readonly validation: Split;
  readonly test: Split;
}

/** A predictor without any network, scored on the test part with the track's metric. */
export interface FloorValue {
  readonly name: string;
  readonly value: number;
}

/** A figure that a track measures on a trained model beside its metric. */
export interface FurtherMetric {
  readonly name: string;
  /** Empty for a share. */
  readonly unit: string;
  readonly direction: "lower" | "higher";
  readonly description: string;
}

/** The predictions `[count, outputs]` of a model for inputs `[count, steps, features]`, without gradients. */
export type Forecast = (x: TrackNumbers, count: number) => Float32Array;

/** The figures of a track beside its metric, measured on the final model of each seed. */
export interface FurtherMetrics {
  readonly metrics: readonly FurtherMetric[];
  /** Every figure by its name, on the test part of a seed, which has `testSize` series. */
  measure(forecast: Forecast, seed: number, testSize: number): Readonly<Record<string, number>>;
}

/** A task: data made from a seed, a metric, and the floors that a model has to beat to say anything. */
export interface Track {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `MSE` goes with `squared error`, `accuracy` with `cross-entropy`, `bits per character` with that on text. */
  readonly metric: MetricName;
  /** Which side of the metric is better: `higher` for `accuracy`, `lower` for the others. */
  readonly direction: "lower" | "higher";
  readonly loss: TrackLoss;
  readonly defaultModel: string;
  readonly input: TrackInput;
  /** Numbers that a model gives for each series: those to predict, or one for each class. */
  readonly outputs: number;
  /**
   * The data of one seed, the same bits on every machine. It is drawn from the seed's stream "data", each part from
   * a stream of its own, series after series: a longer part begins with the shorter one, and no part shifts another.
   */
  make(seed: number, sizes: SplitSizes): TrackData;
  /** The floors on the test part, fitted on the training part. */
  floors(data: TrackData): readonly FloorValue[];
  /** Absent where the metric says all. */
  readonly further?: FurtherMetrics;
}

/** Numbers that one series has in a split's `y`: the outputs, or one class for each position that is predicted. */
export function targetWidth({ input, outputs, loss }: Pick<Track, "input" | "outputs" | "loss">): number {
  return loss === "cross-entropy" ? predictedPositions(input) : outputs;
}

/** Positions of one series after which a model predicts: all of a text, else the last. */
export function predictedPositions({ kind, steps }: TrackInput): number {
  return kind === "text" ? steps : 1;
}
