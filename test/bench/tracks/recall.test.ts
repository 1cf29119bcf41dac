import { expect, test } from "vitest";
import { recall } from "../../../src/bench/tracks/recall.js";
import { generator } from "../../../src/random/index.js";

const pairsOf = (x: ArrayLike<number>, i: number): (readonly [key: number, value: number])[] =>
  Array.from({ length: 33 }, (_, pair) => [x[66 * i + 2 * pair]!, x[66 * i + 2 * pair + 1]!] as const);

test("32 pairs of different keys and any values, then one of the keys with a blank; the answer is its value", () => {
  expect(recall.input).toEqual({ kind: "tokens", steps: 33, features: 2, vocabulary: 97 });
  expect(recall.outputs).toBe(32);
  const { train } = recall.make(4, { train: 300, test: 1 });
  for (let i = 0; i < train.count; i++) {
    const pairs = pairsOf(train.x, i);
    const [asked, blank] = pairs.pop()!;
    const context = new Map(pairs);
    expect(context.size).toBe(32);
    for (const [key, value] of context) {
      expect(key >= 0 && key < 64).toBe(true);
      expect(value >= 64 && value < 96).toBe(true);
    }
    expect(blank).toBe(96);
    expect(context.get(asked)).toBe(64 + train.y[i]!);
  }
});

test("the data are drawn as the definition says: order of the keys, values, the pair asked for", () => {
  const { test: held } = recall.make(9, { train: 1, test: 20 });
  const rng = generator(9).stream("data").stream("test");
  for (let i = 0; i < held.count; i++) {
    const keys = rng.permutation(64);
    const values = rng.integers(32, 0, 32);
    const asked = rng.integer(0, 32);
    const expected = [...values.entries()].flatMap(([pair, value]) => [keys[pair]!, 64 + value]);
    expect([...held.x.subarray(66 * i, 66 * (i + 1))]).toEqual([...expected, keys[asked], 96]);
    expect(held.y[i]).toBe(values[asked]);
  }
});

test("keys, values, and the place of the pair asked for are even", () => {
  const { train } = recall.make(0, { train: 4000, test: 1 });
  const places = new Array<number>(32).fill(0);
  const answers = new Array<number>(32).fill(0);
  const keys = new Array<number>(64).fill(0);
  for (let i = 0; i < train.count; i++) {
    const pairs = pairsOf(train.x, i);
    const asked = pairs[32]![0];
    places[pairs.findIndex(([key]) => key === asked)]! += 1;
    answers[train.y[i]!]! += 1;
    for (const [key] of pairs.slice(0, 32)) keys[key]! += 1;
  }
  // Pearson's χ² of an even law; 1 in 1e5 of a χ² with 31 degrees of freedom is above 75, with 63 above 122
  const chiSquare = (counts: readonly number[], expected: number): number =>
    counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquare(places, 4000 / 32)).toBeLessThan(75);
  expect(chiSquare(answers, 4000 / 32)).toBeLessThan(75);
  expect(chiSquare(keys, 2000)).toBeLessThan(122);
});

test("the floors, recomputed from the series by other means", () => {
  const data = recall.make(6, { train: 200, test: 500 });
  const series = Array.from({ length: 500 }, (_, i) => ({
    answer: data.test.y[i]!,
    shown: pairsOf(data.test.x, i)
      .slice(0, 32)
      .map(([, value]) => value - 64),
  }));
  const share = (of: (one: (typeof series)[number]) => number): number =>
    series.reduce((sum, one) => sum + of(one), 0) / series.length;
  const commonest = (values: ArrayLike<number>): number => {
    const times = (value: number): number => Array.from(values).filter((other) => other === value).length;
    return [...new Set(Array.from(values))].sort((a, b) => times(b) - times(a) || a - b)[0]!;
  };
  const favourite = commonest(data.train.y);
  const floors = Object.fromEntries(recall.floors(data).map(({ name, value }) => [name, value]));
  expect(Object.keys(floors)).toEqual([
    "chance",
    "most frequent",
    "value from the context",
    "most frequent in the context",
  ]);
  expect(floors.chance).toBe(1 / 32);
  expect(floors["most frequent"]).toBeCloseTo(
    share(({ answer }) => Number(answer === favourite)),
    12,
  );
  expect(floors["value from the context"]).toBeCloseTo(
    share(({ answer, shown }) => shown.filter((value) => value === answer).length / 32),
    12,
  );
  expect(floors["most frequent in the context"]).toBeCloseTo(
    share(({ answer, shown }) => Number(commonest(shown) === answer)),
    12,
  );
});

test("a value from the context is right with 1/32 + 31/32 · 1/32, and no floor comes near a memory of the pairs", () => {
  const floors = recall.floors(recall.make(0, { train: 50, test: 4000 }));
  const of = (name: string): number => floors.find((floor) => floor.name === name)!.value;
  // the standard deviation of one series' share is below 0.05, so that of the mean below 0.0008
  expect(Math.abs(of("value from the context") - (1 / 32 + (31 / 32) * (1 / 32)))).toBeLessThan(0.0032);
  expect(Math.max(...floors.map(({ value }) => value))).toBeLessThan(0.15);
});
