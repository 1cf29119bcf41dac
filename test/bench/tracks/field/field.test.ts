import { describe, expect, test } from "vitest";
import { advanceBlobs, type Blob, type BlobLaw } from "../../../../src/bench/tracks/field/colliding-blobs.js";
import { sampleBlobs } from "../../../../src/bench/tracks/field/velocity-grid.js";
import { field } from "../../../../src/bench/tracks/field.js";
import type { Forecast } from "../../../../src/bench/tracks/index.js";
import { generator, type Generator } from "../../../../src/random/index.js";

/** The blobs of a series at its first frame and its noise, drawn as the definition says. */
function drawn(rng: Generator): { law: BlobLaw; blobs: Blob[]; noise: Float64Array } {
  const [halfTurn] = rng.uniforms(1, -0.8, 0.8);
  const [retention] = rng.uniforms(1, 0.97, 1);
  const [weights, firsts, seconds, variances] = [
    rng.uniforms(2, 2, 4),
    rng.uniforms(2, -1.5, 1.5),
    rng.uniforms(2, -1.5, 1.5),
    rng.uniforms(2, 0.4, 0.8),
  ];
  const blobs = [0, 1].map((b) => ({
    weight: weights[b]!,
    v1: firsts[b]!,
    v2: seconds[b]!,
    variance: variances[b]!,
  }));
  return { law: { halfTurn: halfTurn!, retention: retention! }, blobs, noise: rng.normals(1024, 0, 0.05) };
}

const frameOf = (blobs: readonly Blob[]): Float64Array => {
  const frame = new Float64Array(64);
  sampleBlobs(blobs, frame);
  return frame;
};

test("16 noisy frames of two blobs, and the clean frame after the last", () => {
  expect(field.input).toEqual({ kind: "series", steps: 16, features: 64 });
  expect(field.outputs).toBe(64);
  const { validation } = field.make(5, { train: 1, validation: 20, test: 0 });
  const rng = generator(5).stream("data").stream("validation");
  for (let i = 0; i < 20; i++) {
    const { law, blobs, noise } = drawn(rng);
    for (let t = 0; t < 16; t++) {
      const frame = frameOf(blobs);
      for (let cell = 0; cell < 64; cell++)
        expect(validation!.x[1024 * i + 64 * t + cell]).toBe(
          Math.fround(frame[cell]! + noise[64 * t + cell]!),
        );
      advanceBlobs(blobs, law);
    }
    expect([...validation!.y.subarray(64 * i, 64 * (i + 1))]).toEqual([...frameOf(blobs)].map(Math.fround));
  }
});

describe("the drift of the moments in roll-outs of the first 32 test series", () => {
  const measure = (forecast: Forecast, size = 40, seed = 3) => field.further!.measure(forecast, seed, size);
  const series = (count: number, seed = 3) => {
    const rng = generator(seed).stream("data").stream("test");
    return Array.from({ length: count }, () => drawn(rng));
  };
  const names = ["mass drift", "momentum 1 drift", "momentum 2 drift", "energy drift"];

  test("is declared, one figure for each moment, lower is better", () => {
    expect(field.further!.metrics.map(({ name, direction }) => [name, direction])).toEqual(
      names.map((name) => [name, "lower"]),
    );
  });

  test("is nothing but rounding for a forecast that knows the blobs", () => {
    const known = series(32);
    for (const { law, blobs } of known) for (let t = 0; t < 15; t++) advanceBlobs(blobs, law);
    let calls = 0;
    const drift = measure((x, count) => {
      expect([count, x.length]).toEqual([32, 32 * 1024]);
      calls += 1;
      const frames = known.map(({ law, blobs }) => {
        advanceBlobs(blobs, law);
        return frameOf(blobs);
      });
      return Float32Array.from(frames.flatMap((frame) => [...frame]));
    });
    expect(calls).toBe(200);
    for (const name of names) expect(drift[name]).toBeLessThan(1e-6);
  });

  test("of an empty forecast is 1 for mass and energy, and the momentum's share of √(mass·energy)", () => {
    const size = 5;
    const drift = measure((_x, count) => new Float32Array(64 * count), size);
    expect(drift["mass drift"]).toBe(1);
    expect(drift["energy drift"]).toBeCloseTo(1, 14);
    let [first, second] = [0, 0];
    for (const { law, blobs } of series(size)) {
      const mass = blobs.reduce((sum, { weight }) => sum + weight, 0);
      const sum = (of: (blob: Blob) => number) =>
        blobs.reduce((all, blob) => all + blob.weight * of(blob), 0);
      const energy = sum(({ v1, v2, variance }) => v1 ** 2 + v2 ** 2 + 2 * variance);
      const [p1, p2] = [sum(({ v1 }) => v1), sum(({ v2 }) => v2)];
      for (let t = 16; t < 216; t++) {
        const angle = 2 * t * Math.atan(law.halfTurn);
        first += (Math.cos(angle) * p1 - Math.sin(angle) * p2) ** 2 / (mass * energy);
        second += (Math.sin(angle) * p1 + Math.cos(angle) * p2) ** 2 / (mass * energy);
      }
    }
    expect(drift["momentum 1 drift"]).toBeCloseTo(Math.sqrt(first / (200 * size)), 10);
    expect(drift["momentum 2 drift"]).toBeCloseTo(Math.sqrt(second / (200 * size)), 10);
  });

  test("feeds the forecast its own frames, the oldest reading falling out of the window", () => {
    const { test: held } = field.make(3, { train: 1, test: 2 });
    let frame = 0;
    measure((x, count) => {
      frame += 1;
      if (frame <= 16) {
        for (let i = 0; i < count; i++) {
          const kept = held.x.subarray(1024 * i + 64 * (frame - 1), 1024 * (i + 1));
          expect(x.subarray(1024 * i, 1024 * i + kept.length)).toEqual(kept);
        }
      }
      const last = Array.from({ length: Math.min(16, frame - 1) }, (_, back) => frame - 1 - back).reverse();
      for (let i = 0; i < count; i++) {
        const own = Array.from(
          { length: last.length },
          (_, at) => x[1024 * (i + 1) - 64 * (last.length - at)],
        );
        expect(own).toEqual(last.map((number) => 10 * i + number));
      }
      return Float32Array.from({ length: 64 * count }, (_, at) => 10 * Math.floor(at / 64) + frame);
    }, 2);
    expect(frame).toBe(200);
  });
});

test("the linear floor lies between zero and the others, which are far above the noise", () => {
  const data = field.make(1, { train: 150, test: 100 });
  const floors = Object.fromEntries(field.floors(data).map(({ name, value }) => [name, value]));
  expect(Object.keys(floors)).toEqual(["mean", "last value", "ridge"]);
  expect(floors.ridge).toBeLessThan(floors["last value"]!);
  expect(floors.ridge).toBeLessThan(floors.mean!);
  const { train, test: held } = data;
  let [mean, last] = [0, 0];
  for (let k = 0; k < 64; k++) {
    const column = Array.from({ length: 150 }, (_, i) => train.y[64 * i + k]!);
    const centre = column.reduce((sum, value) => sum + value, 0) / 150;
    for (let i = 0; i < 100; i++) {
      mean += (held.y[64 * i + k]! - centre) ** 2 / 6400;
      last += (held.y[64 * i + k]! - held.x[1024 * i + 960 + k]!) ** 2 / 6400;
    }
  }
  expect(floors.mean).toBeCloseTo(mean, 12);
  expect(floors["last value"]).toBeCloseTo(last, 12);
});
