import { describe, expect, it } from "vitest";
import { generator } from "../../src/random/index.js";
import { signFlipExact } from "../../src/stats/index.js";

/** The part of runs in which the exact sign-flip test of n normal differences gives p ≤ 0.05. */
function rejectionRate(n: number, effect: number, runs: number): number {
  const rng = generator("calibration").stream(`${n} ${effect}`);
  let rejected = 0;
  for (let run = 0; run < runs; run++) if (signFlipExact(rng.normals(n, effect)).p <= 0.05) rejected++;
  return rejected / runs;
}

describe("the exact sign-flip test", () => {
  it("rejects a true hypothesis at the rate 12/256 with eight pairs", () => {
    const runs = 8000;
    const rate = 12 / 256;
    expect(Math.abs(rejectionRate(8, 0, runs) - rate)).toBeLessThan(
      4 * Math.sqrt((rate * (1 - rate)) / runs),
    );
  });

  it("keeps 200 runs of equal arms between 3 and 18 rejections", () => {
    const rejected = Math.round(200 * rejectionRate(8, 0, 200));
    expect(rejected).toBeGreaterThanOrEqual(3);
    expect(rejected).toBeLessThanOrEqual(18);
  });

  it.each([
    [1, 0.65],
    [1.5, 0.94],
    [2, 0.996],
  ])("finds a planted shift of dz = %d in about %d of runs with eight pairs", (effect, expected) => {
    expect(Math.abs(rejectionRate(8, effect, 4000) - expected)).toBeLessThan(0.03);
  });

  it("rejects 10.2 % of true hypotheses when looked at after 6, 8, 10 and 12 pairs", () => {
    const rng = generator("looking early");
    const runs = 6000;
    let rejected = 0;
    for (let run = 0; run < runs; run++) {
      const diffs = rng.normals(12);
      if ([6, 8, 10, 12].some((n) => signFlipExact(diffs.subarray(0, n)).p <= 0.05)) rejected++;
    }
    expect(Math.abs(rejected / runs - 0.102)).toBeLessThan(4 * Math.sqrt((0.102 * 0.898) / runs));
  });
});
