import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { mackeyGlass } from "../../../src/bench/tracks/mackey-glass.js";
import { targetWidth, tracks, type Track, type TrackNumbers } from "../../../src/bench/tracks/index.js";
import { oscillatorPair } from "../../../src/bench/tracks/oscillator-pair.js";
import { rungeKutta4 } from "../../../src/bench/tracks/rk4.js";
import { generator } from "../../../src/random/index.js";

const digest = (values: TrackNumbers): string =>
  createHash("sha256").update(Buffer.from(values.buffer)).digest("hex").slice(0, 16);

/** Standard deviation of the differences of two lists of numbers. */
function spread(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const differences = Array.from(a, (value, i) => value - b[i]);
  const mean = differences.reduce((total, d) => total + d, 0) / differences.length;
  return Math.sqrt(differences.reduce((total, d) => total + (d - mean) ** 2, 0) / differences.length);
}

describe.each([...tracks.values()])("$name", (track: Track) => {
  const width = track.input.steps * track.input.features;
  const targets = targetWidth(track);

  test("has the declared shapes and finite numbers", () => {
    const { train, test: held } = track.make(3, { train: 7, test: 5 });
    expect([train.count, train.x.length, train.y.length]).toEqual([7, 7 * width, 7 * targets]);
    expect([held.count, held.x.length, held.y.length]).toEqual([5, 5 * width, 5 * targets]);
    expect([...train.x, ...train.y, ...held.x, ...held.y].every(Number.isFinite)).toBe(true);
  });

  test("a longer part begins with the shorter one, and neither part shifts the other", () => {
    const small = track.make(1, { train: 4, test: 3 });
    const large = track.make(1, { train: 9, test: 11 });
    expect(large.train.x.subarray(0, 4 * width)).toEqual(small.train.x);
    expect(large.train.y.subarray(0, 4 * targets)).toEqual(small.train.y);
    expect(large.test.x.subarray(0, 3 * width)).toEqual(small.test.x);
    expect(large.test.y.subarray(0, 3 * targets)).toEqual(small.test.y);
  });

  test("no series comes twice, in no part and for no other seed", () => {
    const sizes = { train: 60, validation: 60, test: 60 };
    const seen = [0, 1].flatMap((seed) => {
      const { train, validation, test: held } = track.make(seed, sizes);
      return [train, validation!, held].flatMap(({ x, count }) =>
        Array.from({ length: count }, (_, i) => digest(x.slice(i * width, (i + 1) * width))),
      );
    });
    expect(new Set(seen).size).toBe(360);
  });

  test("says its metric, loss and direction as they belong together, and its classes are classes", () => {
    const { train } = track.make(2, { train: 50, test: 1 });
    const isClass = track.loss === "cross-entropy";
    const scored = track.input.kind === "text" ? ["bits per character", "lower"] : ["accuracy", "higher"];
    expect([track.metric, track.direction]).toEqual(isClass ? scored : ["MSE", "lower"]);
    expect(train.y instanceof Int32Array).toBe(isClass);
    if (isClass) expect(train.y.every((value) => value >= 0 && value < track.outputs)).toBe(true);
    const { input } = track;
    expect(train.x instanceof Int32Array).toBe(input.kind !== "series");
    if (input.kind !== "series")
      expect(train.x.every((token) => token >= 0 && token < input.vocabulary)).toBe(true);
  });

  test("refuses sizes that are no positive whole numbers", () => {
    expect(() => track.make(0, { train: 0, test: 1 })).toThrow(/E_VALUE.*train.*found 0/);
    expect(() => track.make(0, { train: 1, test: 1.5 })).toThrow(/E_VALUE.*test.*found 1.5/);
  });
});

test("the same bits everywhere: digests of the first series of seed 0", () => {
  const bits = [...tracks.values()].map((track) => {
    const { train, test: held } = track.make(0, { train: 16, test: 16 });
    return [track.name, digest(train.x), digest(train.y), digest(held.x), digest(held.y)];
  });
  expect(bits).toMatchInlineSnapshot(`
    [
      [
        "dynamics",
        "76e6f35f93cc0dbe",
        "c893b7dce82fdd4d",
        "fe2f0b8b96b6ec84",
        "4ff5a70aaccb8026",
      ],
      [
        "sequence",
        "c21dfe20e6c8cbdf",
        "a7ff34ad379b2e35",
        "cf1c21356427239a",
        "b21a93ac4311ee4c",
      ],
      [
        "field",
        "559c5acfaf627ec4",
        "a3d4e5dc7a6f1746",
        "396dd08c6dee2250",
        "8dc2411b09536790",
      ],
      [
        "recall",
        "10eb929e35e65f16",
        "855ceac6a6755233",
        "08661163eb41687b",
        "1e8a7c166de7a2b7",
      ],
      [
        "language",
        "e6f59a03a771596c",
        "262ffc65a456c4b3",
        "007f7058ef10dd19",
        "32350dd362c9faec",
      ],
      [
        "digits",
        "af2b7f0eafc390a6",
        "6d1992e541a7c194",
        "79f6adf7bc284452",
        "19a461ccb499142f",
      ],
    ]
  `);
});

test("dynamics: clean readings and the target follow the equations, readings carry noise of 0.05", () => {
  const { input, outputs, make } = tracks.get("dynamics")!;
  expect(input).toEqual({ kind: "series", steps: 32, features: 2 });
  expect(outputs).toBe(2);
  const { train } = make(5, { train: 200, test: 1 });
  const rng = generator(5).stream("data").stream("train");
  const clean: number[] = [];
  for (let i = 0; i < train.count; i++) {
    const [coupling] = rng.uniforms(1, 0.1, 0.6);
    const state = Float64Array.of(...rng.uniforms(2, -2, 2), ...rng.uniforms(2, -1, 1));
    rng.normals(64);
    const advance = rungeKutta4(oscillatorPair(coupling), 4);
    for (let step = 0; step <= 2 * 36; step++) {
      if (step > 0) advance(state, 0.075);
      if (step % 2 === 0 && step < 64) clean.push(state[0], state[1]);
    }
    expect(train.y[2 * i]).toBe(Math.fround(state[0]));
    expect(train.y[2 * i + 1]).toBe(Math.fround(state[1]));
  }
  expect(spread(train.x, clean)).toBeGreaterThan(0.0485);
  expect(spread(train.x, clean)).toBeLessThan(0.0515);
});

test("sequence: the target is the clean reading 8 after the last, readings carry noise of 0.05", () => {
  const { input, outputs, make } = tracks.get("sequence")!;
  expect(input).toEqual({ kind: "series", steps: 64, features: 1 });
  expect(outputs).toBe(1);
  const { train } = make(5, { train: 200, test: 1 });
  const rng = generator(5).stream("data").stream("train");
  const clean: number[] = [];
  const delays = new Set<number>();
  for (let i = 0; i < train.count; i++) {
    const delay = rng.integer(15, 24);
    delays.add(delay);
    const [history] = rng.uniforms(1, 0.5, 1.5);
    rng.normals(64);
    const values = mackeyGlass(delay, history, 4 * (200 + 2 * 71)).map((value) => (value - 0.93) / 0.23);
    for (let reading = 0; reading < 64; reading++) clean.push(values[4 * (200 + 2 * reading)]);
    expect(train.y[i]).toBe(Math.fround(values[4 * (200 + 2 * 71)]));
  }
  expect([...delays].sort()).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23]);
  expect(spread(train.x, clean)).toBeGreaterThan(0.048);
  expect(spread(train.x, clean)).toBeLessThan(0.052);
});
