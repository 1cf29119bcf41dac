import { multiplyHigh } from "./multiply-high.js";

const TWO_32 = 2 ** 32;

/** A whole number modulo 2¹²⁸: four 32-bit words, the least significant first. */
export type Wide = Uint32Array;

/** The words of a whole number ≥ 0, modulo 2¹²⁸. */
export function wideOf(whole: bigint): Wide {
  return Uint32Array.from({ length: 4 }, (_, word) => Number((whole >> BigInt(32 * word)) & 0xffffffffn));
}

/** The whole number that words stand for. */
export function wholeOf(wide: Wide): bigint {
  return wide.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
}

/**
 * `state` ← `state`·`multiplier` + `increment`, modulo 2¹²⁸. Each column of partial products is summed in float64, which
 * holds the few numbers below 2³² exactly.
 */
export function multiplyAdd(state: Wide, multiplier: Wide, increment: Wide): void {
  const s0 = state[0];
  const s1 = state[1];
  const s2 = state[2];
  const s3 = state[3];
  const m0 = multiplier[0];
  const m1 = multiplier[1];
  const m2 = multiplier[2];
  const m3 = multiplier[3];
  const column0 = low(s0, m0) + increment[0];
  const column1 = high(s0, m0) + low(s0, m1) + low(s1, m0) + increment[1] + Math.floor(column0 / TWO_32);
  const column2 =
    high(s0, m1) +
    high(s1, m0) +
    low(s0, m2) +
    low(s1, m1) +
    low(s2, m0) +
    increment[2] +
    Math.floor(column1 / TWO_32);
  const column3 =
    high(s0, m2) +
    high(s1, m1) +
    high(s2, m0) +
    low(s0, m3) +
    low(s1, m2) +
    low(s2, m1) +
    low(s3, m0) +
    increment[3] +
    Math.floor(column2 / TWO_32);
  state[0] = column0;
  state[1] = column1;
  state[2] = column2;
  state[3] = column3;
}

const low = (a: number, b: number): number => Math.imul(a, b) >>> 0;

const high = (a: number, b: number): number => multiplyHigh(a, b) >>> 0;
