import { expect, test } from "vitest";
import { generator } from "../../src/random/index.js";
import { signEProcess, signEProcessInterval } from "../../src/stats/index.js";

/** The largest evidence against a shift after any pair. */
const evidence = (diffs: readonly number[], shift: number, looks?: readonly number[]): number => {
  const path = signEProcess(diffs.map((value) => value - shift));
  return Math.max(...(looks ?? diffs.map((_, at) => at + 1)).map((pairs) => path[pairs - 1]!));
};

test("every shift beyond an end is refuted, and shifts just inside are not", () => {
  for (let seed = 0; seed < 4; seed++) {
    const diffs = Array.from(generator(seed).normals(20), (value) => value + 0.5);
    const [low, high] = signEProcessInterval(diffs)!;
    for (const [end, out] of [
      [low, -1],
      [high, 1],
    ] as const) {
      // The mean over the eight rates is summed the other way round on one side, which moves its last bit.
      expect(evidence(diffs, end)).toBeGreaterThanOrEqual(20 * (1 - 2 ** -50));
      expect(evidence(diffs, end - out * 1e-9)).toBeLessThan(20);
      for (let away = 1e-3; away < 1e3; away *= 1.7)
        expect(evidence(diffs, end + out * away)).toBeGreaterThanOrEqual(20);
    }
    expect(low).toBeLessThan(high);
  }
});

test("it moves, scales and turns round with the differences", () => {
  const diffs = Array.from(generator(9).normals(16));
  const [low, high] = signEProcessInterval(diffs)!;
  const near = (interval: readonly [number, number] | undefined, expected: readonly number[]): void =>
    expected.forEach((end, at) => expect(interval![at]! / end).toBeCloseTo(1, 9));
  near(signEProcessInterval(diffs.map((value) => 4 * value)), [4 * low, 4 * high]);
  near(signEProcessInterval(diffs.map((value) => -value)), [-high, -low]);
  near(signEProcessInterval(diffs.map((value) => value + 8)), [low + 8, high + 8]);
  near(signEProcessInterval(diffs.map((value) => value * 1e200)), [low * 1e200, high * 1e200]);
});

test("with fewer looks it is no narrower, and with fewer pairs none is narrower", () => {
  const diffs = Array.from(generator(3).normals(24));
  const width = ([low, high]: readonly [number, number]): number => high - low;
  const often = width(signEProcessInterval(diffs)!);
  expect(width(signEProcessInterval(diffs, 0.05, [12, 24])!)).toBeGreaterThanOrEqual(often);
  expect(width(signEProcessInterval(diffs.slice(0, 12))!)).toBeGreaterThanOrEqual(often);
});

test("there is none for so few pairs that no shift could be refuted; equal differences leave one point", () => {
  // Six differences alike reach (2/8)Σ(e^λ/cosh λ)⁶ = 15.2… at most, seven 20.6….
  expect(signEProcessInterval([1, 2, 3, 4, 5, 6])).toBeUndefined();
  expect(signEProcessInterval([])).toBeUndefined();
  const [low, high] = signEProcessInterval([2, 2, 2, 2, 2, 2, 2])!;
  expect([low, high]).toEqual([2, 2]);
  expect(() => signEProcessInterval([NaN])).toThrow("E_VALUE");
  expect(() => signEProcessInterval([1], 2)).toThrow("E_VALUE");
});

test("over all looks of 400 runs of 20 pairs it misses the centre in at most 5 % of them", () => {
  const rng = generator("coverage");
  let missed = 0;
  // The hull of the shifts that are not refuted misses a centre only where the evidence against that is enough.
  for (let run = 0; run < 400; run++)
    if (
      evidence(
        [...rng.normals(20)].map((z) => z * Math.abs(z) + 3),
        3,
      ) >= 20
    )
      missed += 1;
  expect(missed / 400).toBeLessThanOrEqual(0.05);
  const [low, high] = signEProcessInterval([...rng.normals(20)].map((z) => z * Math.abs(z) + 3))!;
  expect(low).toBeLessThan(3);
  expect(high).toBeGreaterThan(3);
});
