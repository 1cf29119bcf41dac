import { standardFloors } from "./floors/standard-floors.js";
import {
  DAMPING,
  oscillatorPair,
  POSITION_1,
  POSITION_2,
  VELOCITY_1,
  VELOCITY_2,
} from "./oscillator-pair.js";
import { rungeKutta4 } from "./rk4.js";
import { makeSeries, type DrawSeries, type SeriesRecipe } from "./series-split.js";
import type { Track } from "./track.js";

/** The numbers of the definition in docs/tracks.md. */
export const constants = {
  readings: 32,
  horizon: 5,
  step: 0.075,
  stepsBetweenReadings: 2,
  noise: 0.05,
  damping: DAMPING,
  coupling: [0.1, 0.6],
  positions: [-2, 2],
  velocities: [-1, 1],
} as const;

const { readings: READINGS, horizon, step, stepsBetweenReadings } = constants;

/** Draws, in this order: the coupling, both positions, both velocities, then the noise of each reading. */
const draw: DrawSeries = (rng, readings, target) => {
  const coupling = rng.uniforms(1, ...constants.coupling)[0];
  const positions = rng.uniforms(2, ...constants.positions);
  const velocities = rng.uniforms(2, ...constants.velocities);
  const noise = rng.normals(2 * READINGS, 0, constants.noise);

  const state = new Float64Array(4);
  state[POSITION_1] = positions[0];
  state[POSITION_2] = positions[1];
  state[VELOCITY_1] = velocities[0];
  state[VELOCITY_2] = velocities[1];
  const advance = rungeKutta4(oscillatorPair(coupling), 4);
  const toNextReading = (): void => {
    for (let i = 0; i < stepsBetweenReadings; i++) advance(state, step);
  };

  for (let t = 0; t < READINGS; t++) {
    if (t > 0) toNextReading();
    readings[2 * t] = state[POSITION_1] + noise[2 * t];
    readings[2 * t + 1] = state[POSITION_2] + noise[2 * t + 1];
  }
  for (let t = 0; t < horizon; t++) toNextReading();
  target[0] = state[POSITION_1];
  target[1] = state[POSITION_2];
};

const recipe: SeriesRecipe = {
  input: { kind: "series", steps: READINGS, features: 2 },
  outputs: 2,
  loss: "squared error",
  draw,
};

/** Forecast of two coupled oscillators from noisy positions: `[32, 2]` → `[2]`. */
export const dynamics: Track = {
  name: "dynamics",
  title: "two coupled damped Duffing oscillators",
  description:
    "x'' = −x − x³ − 0.05 x' + c (x_other − x), c ~ U(0.1, 0.6), x(0) ~ U(−2, 2), x'(0) ~ U(−1, 1); 32 readings of " +
    "both positions, 0.15 apart, with noise of standard deviation 0.05; to predict: both clean positions 5 readings " +
    "after the last.",
  metric: "MSE",
  direction: "lower",
  defaultModel: "rnn_small",
  input: recipe.input,
  outputs: recipe.outputs,
  loss: recipe.loss,
  make: (seed, sizes) => makeSeries(recipe, seed, sizes),
  floors: (data) => standardFloors(data, recipe),
};
