import { generator, type Generator } from "../../random/index.js";
import { advanceBlobs, type Blob, type BlobLaw } from "./field/colliding-blobs.js";
import { momentDrift, ROLL_OUT, ROLLED_SERIES, type RolledSeries } from "./field/moment-drift.js";
import { CELLS, sampleBlobs, SIDE } from "./field/velocity-grid.js";
import { standardFloors } from "./floors/standard-floors.js";
import { makeSeries, type DrawSeries, type SeriesRecipe } from "./series-split.js";
import type { Track } from "./track.js";

/** The numbers of the definition in docs/tracks.md. */
export const constants = {
  side: SIDE,
  frames: 16,
  blobs: 2,
  noise: 0.05,
  halfTurn: [-0.8, 0.8],
  retention: [0.97, 1],
  weights: [2, 4],
  velocities: [-1.5, 1.5],
  variances: [0.4, 0.8],
  rollOut: ROLL_OUT,
  rolledSeries: ROLLED_SERIES,
} as const;

const { frames: FRAMES, blobs: BLOBS, noise: NOISE } = constants;

/**
 * Draws, in this order: tan(θ/2), e^−ν, the weights, the first velocities, the second ones, the variances, then the noise
 * of each reading. Writes the readings, and returns the blobs at the last of them with their law.
 */
function drawReadings(
  rng: Generator,
  readings: Float64Array,
): { readonly blobs: Blob[]; readonly law: BlobLaw } {
  const halfTurn = rng.uniforms(1, ...constants.halfTurn)[0];
  const retention = rng.uniforms(1, ...constants.retention)[0];
  const weights = rng.uniforms(BLOBS, ...constants.weights);
  const firsts = rng.uniforms(BLOBS, ...constants.velocities);
  const seconds = rng.uniforms(BLOBS, ...constants.velocities);
  const variances = rng.uniforms(BLOBS, ...constants.variances);
  const noise = rng.normals(FRAMES * CELLS, 0, NOISE);

  const law = { halfTurn, retention };
  const blobs = Array.from(weights, (weight, b) => ({
    weight,
    v1: firsts[b],
    v2: seconds[b],
    variance: variances[b],
  }));
  for (let t = 0; t < FRAMES; t++) {
    if (t > 0) advanceBlobs(blobs, law);
    sampleBlobs(blobs, readings.subarray(t * CELLS, (t + 1) * CELLS));
  }
  for (let i = 0; i < noise.length; i++) readings[i] += noise[i];
  return { blobs, law };
}

const draw: DrawSeries = (rng, readings, target) => {
  const { blobs, law } = drawReadings(rng, readings);
  advanceBlobs(blobs, law);
  sampleBlobs(blobs, target);
};

/** The first series of the test part of a seed. */
function testSeries(seed: number, count: number): readonly RolledSeries[] {
  const rng = generator(seed).stream("data").stream("test");
  return Array.from({ length: count }, () => {
    const frames = new Float64Array(FRAMES * CELLS);
    return { frames, ...drawReadings(rng, frames) };
  });
}

const recipe: SeriesRecipe = {
  input: { kind: "series", steps: FRAMES, features: CELLS },
  outputs: CELLS,
  loss: "squared error",
  draw,
};

/** The next frame of an 8×8 density over velocities from 16 noisy frames: `[16, 64]` → `[64]`. */
export const field: Track = {
  name: "field",
  title: "colliding blobs in a magnetic field",
  description:
    "a density over an 8×8 grid of velocities: two Gaussian blobs that turn around the origin by an angle of up to 77° a " +
    "frame, the same for all frames of a series, and spread by collisions, which conserve mass, momentum and energy; 16 " +
    "frames with noise of standard deviation 0.05; to predict: the clean next frame. Beside the metric: the drift of mass, " +
    "both momenta and energy in roll-outs of 200 frames.",
  metric: "MSE",
  direction: "lower",
  defaultModel: "rnn_small",
  input: recipe.input,
  outputs: recipe.outputs,
  loss: recipe.loss,
  make: (seed, sizes) => makeSeries(recipe, seed, sizes),
  floors: (data) => standardFloors(data, recipe),
  further: momentDrift(FRAMES, testSeries),
};
