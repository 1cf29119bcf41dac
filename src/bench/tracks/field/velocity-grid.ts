import { blobMoments, type Blob, type Moments } from "./colliding-blobs.js";
import { decay } from "./exponential.js";

/** Velocities on each axis. */
export const SIDE = 8;
/** Cells of the grid; cell (i, j) of velocity (vᵢ, vⱼ) is number 8 i + j. */
export const CELLS = SIDE * SIDE;

/** v = −3.5, −2.5, …, 3.5 on both axes. */
const velocities = Float64Array.from({ length: SIDE }, (_, i) => i - (SIDE - 1) / 2);
/** Mean of v² over an axis. */
const MEAN_SQUARE = velocities.reduce((sum, v) => sum + v * v, 0) / SIDE;

/** 1, v1, v2 and v1² + v2² less its mean, on the grid: orthogonal to each other. */
const functions: readonly Float64Array[] = [
  () => 1,
  (v1: number) => v1,
  (_v1: number, v2: number) => v2,
  (v1: number, v2: number) => v1 * v1 + v2 * v2 - 2 * MEAN_SQUARE,
].map((of) =>
  Float64Array.from({ length: CELLS }, (_, cell) =>
    of(velocities[Math.floor(cell / SIDE)], velocities[cell % SIDE]),
  ),
);

const inner = (a: ArrayLike<number>, b: ArrayLike<number>, from = 0): number => {
  let sum = 0;
  for (let cell = 0; cell < CELLS; cell++) sum += a[cell] * b[from + cell];
  return sum;
};

const squaredNorms = functions.map((values) => inner(values, values));

/** The moments of a frame on the grid, which starts at `from` of `frames`. */
export function gridMoments(frames: ArrayLike<number>, from = 0): Moments {
  const [mass, momentum1, momentum2, about] = functions.map((values) => inner(values, frames, from));
  return { mass, momentum1, momentum2, energy: about + 2 * MEAN_SQUARE * mass };
}

/**
 * A mixture of blobs as a frame: its density at the velocities of the grid, and then the smallest change (in the sum of
 * squares) that gives the frame the four moments of the whole plane to rounding. Without it what lies beyond the grid, and
 * between its points, would be missing: about one part in a thousand.
 *
 * @param frame `[64]`, written
 */
export function sampleBlobs(blobs: readonly Blob[], frame: Float64Array): void {
  frame.fill(0);
  for (const { weight, v1, v2, variance } of blobs) {
    const along = (centre: number): Float64Array =>
      velocities.map((v) => decay(((v - centre) * (v - centre)) / (2 * variance)));
    const [first, second] = [along(v1), along(v2)];
    const peak = weight / (2 * Math.PI * variance);
    for (let i = 0; i < SIDE; i++) {
      for (let j = 0; j < SIDE; j++) frame[SIDE * i + j] += peak * first[i] * second[j];
    }
  }
  const { mass, momentum1, momentum2, energy } = blobMoments(blobs);
  [mass, momentum1, momentum2, energy - 2 * MEAN_SQUARE * mass].forEach((wanted, k) => {
    const missing = (wanted - inner(functions[k], frame)) / squaredNorms[k];
    for (let cell = 0; cell < CELLS; cell++) frame[cell] += missing * functions[k][cell];
  });
}
