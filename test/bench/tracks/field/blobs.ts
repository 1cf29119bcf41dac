import fc from "fast-check";
import type { Blob, BlobLaw } from "../../../../src/bench/tracks/field/colliding-blobs.js";

const within = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Blobs as the track draws them, one to four of them. */
export const mixtures: fc.Arbitrary<Blob[]> = fc.array(
  fc.record({
    weight: within(2, 4),
    v1: within(-1.5, 1.5),
    v2: within(-1.5, 1.5),
    variance: within(0.4, 0.8),
  }),
  { minLength: 1, maxLength: 4 },
);

export const laws: fc.Arbitrary<BlobLaw> = fc.record({
  halfTurn: within(-0.8, 0.8),
  retention: within(0.97, 1),
});

/** The density of a mixture at a velocity. */
export function densityAt(blobs: readonly Blob[], v1: number, v2: number): number {
  return blobs.reduce((sum, { weight, variance, ...centre }) => {
    const square = (v1 - centre.v1) ** 2 + (v2 - centre.v2) ** 2;
    return sum + (weight * Math.exp(-square / (2 * variance))) / (2 * Math.PI * variance);
  }, 0);
}
