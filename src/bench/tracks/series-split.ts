import { fail } from "../../errors/index.js";
import { generator, type Generator } from "../../random/index.js";
import type { SeriesInput, Split, SplitSizes, TrackData } from "./track.js";

/**
 * One series: fills `readings` (`[steps, features]`, row-major) and `target` (`[outputs]`) from the generator, in
 * float64.
 */
export type DrawSeries = (rng: Generator, readings: Float64Array, target: Float64Array) => void;

/** What a track of series is made from. */
export interface SeriesRecipe {
  readonly input: SeriesInput;
  readonly outputs: number;
  readonly draw: DrawSeries;
}

function drawSplit(recipe: SeriesRecipe, count: number, rng: Generator): Split {
  const { input, outputs, draw } = recipe;
  const width = input.steps * input.features;
  const x = new Float32Array(count * width);
  const y = new Float32Array(count * outputs);
  const readings = new Float64Array(width);
  const target = new Float64Array(outputs);
  for (let i = 0; i < count; i++) {
    draw(rng, readings, target);
    x.set(readings, i * width);
    y.set(target, i * outputs);
  }
  return { count, x, y };
}

/**
 * The data of one seed, from the streams "data"/"train" and "data"/"test" of its generator.
 *
 * @throws E_VALUE when a size is not a positive whole number
 */
export function makeSeries(recipe: SeriesRecipe, seed: number, sizes: SplitSizes): TrackData {
  for (const part of ["train", "test"] as const) {
    if (!Number.isSafeInteger(sizes[part]) || sizes[part] < 1) {
      fail("E_VALUE", `the number of ${part} series must be a positive whole number; found ${sizes[part]}`);
    }
  }
  const data = generator(seed).stream("data");
  return {
    train: drawSplit(recipe, sizes.train, data.stream("train")),
    test: drawSplit(recipe, sizes.test, data.stream("test")),
  };
}
