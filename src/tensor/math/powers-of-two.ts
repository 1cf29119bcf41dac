const LEAST = -150;
const GREATEST = 128;
const powersOfTwo = Float64Array.from({ length: GREATEST - LEAST + 1 }, (_, index) => 2 ** (LEAST + index));

/**
 * 2^n as a float64, for whole −150 ≤ n ≤ 128: what scales a number near 1 to anywhere in the range of float32. NaN gives
 * some power, so that a single NaN does not leave the lookup slow for all that follow.
 */
export function powerOfTwo(n: number): number {
  return powersOfTwo[(n - LEAST) | 0]!;
}

/** y·2^n rounded once to float32: to a subnormal number, zero or infinity where the range ends. −150 ≤ n ≤ 128. */
export function scale32(y: number, n: number): number {
  return Math.fround(y * powerOfTwo(n));
}
