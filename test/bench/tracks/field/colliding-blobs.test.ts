import fc from "fast-check";
import { expect, test } from "vitest";
import { advanceBlobs, blobMoments, type Blob } from "../../../../src/bench/tracks/field/colliding-blobs.js";
import { runs } from "../../../runs.js";
import { densityAt, laws, mixtures } from "./blobs.js";

const copies = (blobs: readonly Blob[]): Blob[] => blobs.map((blob) => ({ ...blob }));

test("mass and energy are conserved over 200 frames, and the momentum turns and keeps its length", () => {
  fc.assert(
    fc.property(mixtures, laws, (drawn, law) => {
      const blobs = copies(drawn);
      const before = blobMoments(blobs);
      const angle = 2 * Math.atan(law.halfTurn);
      for (let t = 1; t <= 200; t++) {
        advanceBlobs(blobs, law);
        if (t % 50 > 0) continue;
        const { mass, energy, momentum1, momentum2 } = blobMoments(blobs);
        expect(mass).toBe(before.mass);
        expect(Math.abs(energy / before.energy - 1)).toBeLessThan(1e-12);
        const [cosine, sine] = [Math.cos(t * angle), Math.sin(t * angle)];
        expect(momentum1).toBeCloseTo(cosine * before.momentum1 - sine * before.momentum2, 10);
        expect(momentum2).toBeCloseTo(sine * before.momentum1 + cosine * before.momentum2, 10);
      }
    }),
    { numRuns: runs(25) },
  );
});

test("t frames are the closed form: u turned by tθ, distances from it e^−νt, variances e^−2νt from the temperature", () => {
  fc.assert(
    fc.property(mixtures, laws, fc.integer({ min: 1, max: 20 }), (drawn, law, t) => {
      const blobs = copies(drawn);
      for (let step = 0; step < t; step++) advanceBlobs(blobs, law);
      const mass = drawn.reduce((sum, { weight }) => sum + weight, 0);
      const mean = (of: (blob: Blob) => number) =>
        drawn.reduce((sum, blob) => sum + blob.weight * of(blob), 0) / mass;
      const u = [mean(({ v1 }) => v1), mean(({ v2 }) => v2)];
      const apart = ({ v1, v2 }: Blob) => (v1 - u[0]!) ** 2 + (v2 - u[1]!) ** 2;
      const temperature = mean((blob) => blob.variance + apart(blob) / 2);
      const angle = 2 * t * Math.atan(law.halfTurn);
      const left = law.retention ** t;
      blobs.forEach((blob, b) => {
        const [d1, d2] = [drawn[b]!.v1 - u[0]!, drawn[b]!.v2 - u[1]!];
        const [x, y] = [u[0]! + left * d1, u[1]! + left * d2];
        expect(blob.v1).toBeCloseTo(Math.cos(angle) * x - Math.sin(angle) * y, 11);
        expect(blob.v2).toBeCloseTo(Math.sin(angle) * x + Math.cos(angle) * y, 11);
        expect(blob.variance).toBeCloseTo(temperature + (drawn[b]!.variance - temperature) * left ** 2, 11);
      });
    }),
    { numRuns: runs(50) },
  );
});

test("a short step obeys ∂f/∂t = −ω (v1 ∂f/∂v2 − v2 ∂f/∂v1) + ν ∇·((v − u) f + T ∇f) at every velocity", () => {
  const [omega, nu, dt, h] = [0.7, 0.3, 1e-4, 1e-3];
  const drawn: Blob[] = [
    { weight: 2, v1: 1, v2: -0.5, variance: 0.5 },
    { weight: 3, v1: -0.8, v2: 0.6, variance: 0.7 },
  ];
  const after = (time: number): Blob[] => {
    const blobs = copies(drawn);
    advanceBlobs(blobs, { halfTurn: Math.tan((omega * time) / 2), retention: Math.exp(-nu * time) });
    return blobs;
  };
  const [later, earlier] = [after(dt), after(-dt)];
  const { mass, momentum1, momentum2, energy } = blobMoments(drawn);
  const u = [momentum1 / mass, momentum2 / mass];
  const temperature = (energy / mass - u[0]! ** 2 - u[1]! ** 2) / 2;
  const f = (v1: number, v2: number) => densityAt(drawn, v1, v2);
  const changes: number[] = [];
  for (const [v1, v2] of [
    [0, 0],
    [1.2, -0.4],
    [-0.5, 1.7],
    [-2, -1],
  ] as const) {
    const slope1 = (f(v1 + h, v2) - f(v1 - h, v2)) / (2 * h);
    const slope2 = (f(v1, v2 + h) - f(v1, v2 - h)) / (2 * h);
    const laplacian =
      (f(v1 + h, v2) + f(v1 - h, v2) + f(v1, v2 + h) + f(v1, v2 - h) - 4 * f(v1, v2)) / h ** 2;
    const friction = 2 * f(v1, v2) + (v1 - u[0]!) * slope1 + (v2 - u[1]!) * slope2;
    const rate = -omega * (v1 * slope2 - v2 * slope1) + nu * (friction + temperature * laplacian);
    const found = (densityAt(later, v1, v2) - densityAt(earlier, v1, v2)) / (2 * dt);
    expect(Math.abs(found - rate)).toBeLessThan(2e-6);
    changes.push(Math.abs(rate));
  }
  expect(Math.min(...changes)).toBeGreaterThan(0.01);
});
