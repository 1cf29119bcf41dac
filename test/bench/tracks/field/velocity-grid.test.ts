import fc from "fast-check";
import { expect, test } from "vitest";
import { blobMoments, type Moments } from "../../../../src/bench/tracks/field/colliding-blobs.js";
import { gridMoments, sampleBlobs } from "../../../../src/bench/tracks/field/velocity-grid.js";
import { runs } from "../../../runs.js";
import { densityAt, mixtures } from "./blobs.js";

/** The moments by their definition: sums over the grid of velocities. */
function summed(frame: ArrayLike<number>): Moments {
  const sum = (of: (v1: number, v2: number) => number): number =>
    Array.from(frame).reduce(
      (total, f, cell) => total + f * of(Math.floor(cell / 8) - 3.5, (cell % 8) - 3.5),
      0,
    );
  return {
    mass: sum(() => 1),
    momentum1: sum((v1) => v1),
    momentum2: sum((_v1, v2) => v2),
    energy: sum((v1, v2) => v1 ** 2 + v2 ** 2),
  };
}

const close = (found: Moments, expected: Moments): void => {
  for (const name of ["mass", "momentum1", "momentum2", "energy"] as const)
    expect(Math.abs(found[name] - expected[name])).toBeLessThan(1e-11 * expected.energy);
};

test("the moments of a frame are sums over the grid, wherever it lies", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 64, maxLength: 64 }),
      (frame) => {
        const squares = frame.map(Math.abs);
        const found = gridMoments([9, 9, ...frame], 2);
        const expected = summed(frame);
        const scale = summed(squares).energy + 1e-300;
        for (const name of ["mass", "momentum1", "momentum2", "energy"] as const)
          expect(Math.abs(found[name] - expected[name])).toBeLessThan(1e-13 * scale);
      },
    ),
    { numRuns: runs(50) },
  );
});

test("a frame has the moments of its blobs over the whole plane", () => {
  fc.assert(
    fc.property(mixtures, (blobs) => {
      const frame = new Float64Array(64);
      sampleBlobs(blobs, frame);
      close(summed(frame), blobMoments(blobs));
    }),
    { numRuns: runs(50) },
  );
});

test("a frame is the density at the grid's velocities but for a polynomial of the four moments, a small one", () => {
  fc.assert(
    fc.property(mixtures, (blobs) => {
      const frame = new Float64Array(64);
      sampleBlobs(blobs, frame);
      const density = Float64Array.from(frame, (_, cell) =>
        densityAt(blobs, Math.floor(cell / 8) - 3.5, (cell % 8) - 3.5),
      );
      const change = frame.map((value, cell) => value - density[cell]!);
      const norm = (values: Float64Array): number => Math.hypot(...values);
      expect(norm(change)).toBeLessThan(0.02 * norm(density));
      // a + b v1 + c v2 + d (v1² + v2²): its mixed difference is 0 everywhere
      for (let cell = 0; cell < 54; cell++) {
        if (cell % 8 === 7) continue;
        const mixed = change[cell]! - change[cell + 1]! - change[cell + 8]! + change[cell + 9]!;
        expect(Math.abs(mixed)).toBeLessThan(1e-13);
      }
    }),
    { numRuns: runs(50) },
  );
});
