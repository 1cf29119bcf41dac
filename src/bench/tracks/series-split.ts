import { fail } from "../../errors/index.js";
import { generator, type Generator } from "../../random/index.js";
import { targetWidth, type Split, type SplitSizes, type Track, type TrackData } from "./track.js";

/**
 * One series: fills `readings` (`[steps, features]`, row-major; numbers or tokens) and `target` (`[outputs]` numbers, or
 * one class) from the generator, in float64.
 */
export type DrawSeries = (rng: Generator, readings: Float64Array, target: Float64Array) => void;

/** What a track of series is made from. */
export interface SeriesRecipe extends Pick<Track, "input" | "outputs" | "loss"> {
  readonly draw: DrawSeries;
}

function drawSplit(recipe: SeriesRecipe, count: number, rng: Generator): Split {
  const { input, loss, draw } = recipe;
  const width = input.steps * input.features;
  const targets = targetWidth(recipe);
  const x = new (input.kind === "series" ? Float32Array : Int32Array)(count * width);
  const y = new (loss === "cross-entropy" ? Int32Array : Float32Array)(count * targets);
  const readings = new Float64Array(width);
  const target = new Float64Array(targets);
  for (let i = 0; i < count; i++) {
    draw(rng, readings, target);
    x.set(readings, i * width);
    y.set(target, i * targets);
  }
  return { count, x, y };
}

/** The parts of a track's data. */
export type PartName = "train" | "validation" | "test";

/**
 * The data of one seed, from the streams "data"/"train", "data"/"validation" and "data"/"test" of its generator.
 *
 * @throws E_VALUE when a size is no whole number, when it is negative, or when there is no series to train on
 */
export function makeSeries(recipe: SeriesRecipe, seed: number, sizes: SplitSizes): TrackData {
  return makeParts({ train: recipe, validation: recipe, test: recipe }, seed, sizes);
}

/** {@link makeSeries} where each part has series of its own kind, such as those of other people. */
export function makeParts(
  recipes: Readonly<Record<PartName, SeriesRecipe>>,
  seed: number,
  sizes: SplitSizes,
): TrackData {
  const data = generator(seed).stream("data");
  const part = (name: PartName, least: number): Split => {
    const count = sizes[name] ?? 0;
    if (!Number.isSafeInteger(count) || count < least) {
      fail(
        "E_VALUE",
        `the number of ${name} series must be a whole number of at least ${least}; found ${count}`,
      );
    }
    return drawSplit(recipes[name], count, data.stream(name));
  };
  return { train: part("train", 1), validation: part("validation", 0), test: part("test", 0) };
}
