import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { generator } from "../../src/random/index.js";
import { signEProcess, signFlipExact } from "../../src/stats/index.js";
import { runs } from "../runs.js";

/** The part of runs in which the exact sign-flip test of n normal differences gives p ≤ 0.05. */
function rejectionRate(n: number, effect: number, draws: number): number {
  const rng = generator("calibration").stream(`${n} ${effect}`);
  let rejected = 0;
  for (let run = 0; run < draws; run++) if (signFlipExact(rng.normals(n, effect)).p <= 0.05) rejected++;
  return rejected / draws;
}

/** The differences with these magnitudes and the signs of a pattern: bit i set turns difference i. */
const signed = (magnitudes: Float64Array, pattern: number): Float64Array =>
  magnitudes.map((size, i) => ((pattern >> i) & 1 ? -size : size));

/** The part of all sign patterns for which something happens: its probability under the hypothesis, exactly. */
function probability(magnitudes: Float64Array, happens: (diffs: Float64Array) => boolean): number {
  let count = 0;
  for (let pattern = 0; pattern < 2 ** magnitudes.length; pattern++)
    if (happens(signed(magnitudes, pattern))) count++;
  return count / 2 ** magnitudes.length;
}

/** For each sign pattern whether its exact p is at most alpha: fewer than ⌊alpha·2ⁿ⌋ + 1 patterns reach its sum. */
function rejected(magnitudes: Float64Array, alpha: number): boolean[] {
  let sums = Float64Array.of(0);
  for (const size of magnitudes)
    sums = Float64Array.of(...sums.map((sum) => sum + size), ...sums.map((sum) => sum - size));
  sums = sums.map(Math.abs);
  const limit = sums.toSorted()[sums.length - 1 - Math.floor(alpha * sums.length)];
  return Array.from(sums, (sum) => sum > limit);
}

const magnitudes = (name: string, n: number): Float64Array => generator(name).normals(n).map(Math.abs);

describe("reference values, calibration", () => {
  it("the exact test rejects a true hypothesis in exactly 12 of 256 sign patterns of eight pairs", () => {
    const property = fc.property(fc.nat(), (seed) => {
      const sizes = magnitudes(`A/A ${seed}`, 8);
      expect(probability(sizes, (diffs) => signFlipExact(diffs).p <= 0.05)).toBe(12 / 256);
      expect(rejected(sizes, 0.05).filter(Boolean)).toHaveLength(12);
    });
    fc.assert(property, { numRuns: runs(15) });
  });

  it("never more often than alpha, whatever the differences are, ties among them", () => {
    const sizes = fc.array(fc.nat(4), { minLength: 1, maxLength: 7 });
    const alpha = fc.constantFrom(0.01, 0.05, 0.1, 0.3);
    const property = fc.property(sizes, alpha, (list, level) => {
      expect(
        probability(Float64Array.from(list), (diffs) => signFlipExact(diffs).p <= level),
      ).toBeLessThanOrEqual(level);
    });
    fc.assert(property, { numRuns: runs(40) });
  });

  it("200 runs of equal arms keep between 3 and 18 rejections", () => {
    const count = Math.round(200 * rejectionRate(8, 0, 200));
    expect(count).toBeGreaterThanOrEqual(3);
    expect(count).toBeLessThanOrEqual(18);
  });

  it.each([
    [1, 0.65, 0.005],
    [1.5, 0.94, 0.005],
    [2, 0.996, 0.0005],
  ])("a planted shift of dz = %d is found in %d of runs with eight pairs", (effect, expected, half) => {
    const draws = 4000;
    const rate = rejectionRate(8, effect, draws);
    expect(Math.abs(rate - expected)).toBeLessThan(half + 4 * Math.sqrt((expected * (1 - expected)) / draws));
  });
});

describe("reference values, looking early", () => {
  it("after 6, 8, 10 and 12 pairs 10.2 % of true hypotheses are rejected, all sign patterns counted", () => {
    const samples = 200;
    const rates = Array.from({ length: samples }, (_, sample) => {
      const sizes = magnitudes(`looking early ${sample}`, 12);
      const looks = [6, 8, 10, 12].map((n) => ({ n, rejects: rejected(sizes.subarray(0, n), 0.05) }));
      let early = 0;
      for (let pattern = 0; pattern < 2 ** 12; pattern++)
        if (looks.some(({ n, rejects }) => rejects[pattern & (2 ** n - 1)])) early++;
      return early / 2 ** 12;
    });
    const rate = rates.reduce((sum, one) => sum + one, 0) / samples;
    const spread = Math.sqrt(
      rates.reduce((sum, one) => sum + (one - rate) ** 2, 0) / (samples - 1) / samples,
    );
    expect(Math.abs(rate - 0.102)).toBeLessThan(0.0005 + 4 * spread);
    expect(spread).toBeLessThan(0.0012);
  });

  it("the e-process, watched after every pair, rejects at most alpha of all sign patterns", () => {
    const sizes = fc.oneof(
      fc.nat().map((seed) => magnitudes(`watched ${seed}`, 10)),
      fc.array(fc.nat(9), { minLength: 1, maxLength: 9 }).map((list) => Float64Array.from(list)),
    );
    const alpha = fc.constantFrom(0.05, 0.1, 0.2, 0.5);
    let most = 0;
    const property = fc.property(sizes, alpha, (list, level) => {
      const rate = probability(list, (diffs) =>
        signEProcess(diffs).some((evidence) => evidence >= 1 / level),
      );
      most = Math.max(most, rate / level);
      expect(rate).toBeLessThanOrEqual(level);
    });
    fc.assert(property, { numRuns: runs(40) });
    expect(most).toBeGreaterThan(0.2);
  });
});
