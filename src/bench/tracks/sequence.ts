import { standardFloors } from "./floors/standard-floors.js";
import { mackeyGlass, STEPS_PER_UNIT } from "./mackey-glass.js";
import { makeSeries, type DrawSeries, type SeriesRecipe } from "./series-split.js";
import type { Track } from "./track.js";

const READINGS = 64;
const HORIZON = 8;
const DISCARDED = 200 * STEPS_PER_UNIT;
const STEPS_BETWEEN_READINGS = 2 * STEPS_PER_UNIT;
const NOISE = 0.05;
const CENTRE = 0.93;
const SCALE = 0.23;

/** Draws, in this order: the delay, the history, then the noise of each reading. */
const draw: DrawSeries = (rng, readings, target) => {
  const delay = rng.integer(15, 24);
  const history = rng.uniforms(1, 0.5, 1.5)[0];
  const noise = rng.normals(READINGS, 0, NOISE);

  const stepOf = (reading: number): number => DISCARDED + reading * STEPS_BETWEEN_READINGS;
  const lastStep = stepOf(READINGS - 1 + HORIZON);
  const values = mackeyGlass(delay, history, lastStep);
  const scaled = (step: number): number => (values[step] - CENTRE) / SCALE;
  for (let t = 0; t < READINGS; t++) readings[t] = scaled(stepOf(t)) + noise[t];
  target[0] = scaled(lastStep);
};

const recipe: SeriesRecipe = {
  input: { kind: "series", steps: READINGS, features: 1 },
  outputs: 1,
  loss: "squared error",
  draw,
};

/** Forecast of a Mackey-Glass series from noisy readings: `[64, 1]` → `[1]`. */
export const sequence: Track = {
  name: "sequence",
  title: "Mackey-Glass delay equation",
  description:
    "x' = 0.2 x(t−τ)/(1 + x(t−τ)¹⁰) − 0.1 x, τ an integer from 15 to 23, constant history ~ U(0.5, 1.5), 200 time units " +
    "discarded; 64 readings 2 time units apart, scaled as (x − 0.93)/0.23, with noise of standard deviation 0.05; to " +
    "predict: the clean reading 8 after the last.",
  metric: "MSE",
  direction: "lower",
  defaultModel: "transformer_tiny",
  input: recipe.input,
  outputs: recipe.outputs,
  loss: recipe.loss,
  make: (seed, sizes) => makeSeries(recipe, seed, sizes),
  floors: (data) => standardFloors(data, recipe),
};
