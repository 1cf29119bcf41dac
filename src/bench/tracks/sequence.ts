import { standardFloors } from "./floors/standard-floors.js";
import { mackeyGlass, STEP, STEPS_PER_UNIT } from "./mackey-glass.js";
import { makeSeries, type DrawSeries, type SeriesRecipe } from "./series-split.js";
import type { Track } from "./track.js";

/** The numbers of the definition in docs/tracks.md; times in the equation's units. */
export const constants = {
  readings: 64,
  horizon: 8,
  step: STEP,
  discarded: 200,
  betweenReadings: 2,
  noise: 0.05,
  centre: 0.93,
  scale: 0.23,
  delays: [15, 23],
  history: [0.5, 1.5],
} as const;

const { readings: READINGS, horizon, discarded, betweenReadings, noise: NOISE, centre, scale } = constants;

/** Draws, in this order: the delay, the history, then the noise of each reading. */
const draw: DrawSeries = (rng, readings, target) => {
  const delay = rng.integer(constants.delays[0], constants.delays[1] + 1);
  const history = rng.uniforms(1, ...constants.history)[0];
  const noise = rng.normals(READINGS, 0, NOISE);

  const stepOf = (reading: number): number => (discarded + reading * betweenReadings) * STEPS_PER_UNIT;
  const lastStep = stepOf(READINGS - 1 + horizon);
  const values = mackeyGlass(delay, history, lastStep);
  const scaled = (step: number): number => (values[step] - centre) / scale;
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
