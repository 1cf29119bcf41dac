import { expect } from "vitest";
import type { Tensor } from "../../src/autograd/index.js";

interface Moments {
  readonly count: number;
  readonly mean: number;
  /** The mean of x². */
  readonly square: number;
  /** All values, ascending. */
  readonly sorted: Float64Array;
}

function moments(x: Tensor): Moments {
  const sorted = Float64Array.from(x.values()).sort();
  const count = sorted.length;
  expect(count, "enough values for a law of large numbers").toBeGreaterThanOrEqual(250);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / count;
  const square = sorted.reduce((sum, value) => sum + value * value, 0) / count;
  return { count, mean, square, sorted };
}

/**
 * The values are drawn from U(−bound, bound): none beyond, the outermost beyond 0.95·bound on both sides, the mean within 5σ of 0
 * and the mean square within 5σ of bound²/3, where x² has the variance 4·bound⁴/45.
 */
export function expectUniform(x: Tensor, bound: number): void {
  const { count, mean, square, sorted } = moments(x);
  expect(sorted[count - 1]! / bound).toBeLessThanOrEqual(1 + 1e-7);
  expect(sorted[count - 1]! / bound).toBeGreaterThan(0.95);
  expect(sorted[0]! / bound).toBeGreaterThanOrEqual(-1 - 1e-7);
  expect(sorted[0]! / bound).toBeLessThan(-0.95);
  expect(Math.abs(mean) / bound).toBeLessThan(5 * Math.sqrt(1 / 3 / count));
  expect(Math.abs(square / bound ** 2 - 1 / 3)).toBeLessThan(5 * Math.sqrt(4 / 45 / count));
}

/**
 * The values are drawn from N(0, std²): the mean within 5σ of 0, the mean square within 5σ of std², where x² has the variance
 * 2·std⁴, and the share within one std of 0 within 5σ of 0.6827.
 */
export function expectNormal(x: Tensor, std: number): void {
  const { count, mean, square, sorted } = moments(x);
  expect(Math.abs(mean) / std).toBeLessThan(5 / Math.sqrt(count));
  expect(Math.abs(square / std ** 2 - 1)).toBeLessThan(5 * Math.sqrt(2 / count));
  const share = sorted.filter((value) => Math.abs(value) < std).length / count;
  expect(Math.abs(share - 0.6827)).toBeLessThan(5 * Math.sqrt((0.6827 * 0.3173) / count));
}
