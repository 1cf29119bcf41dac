import { multiplyHigh } from "./multiply-high.js";

const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/**
 * Philox4x32-10: a keyed bijection of 128-bit counters whose outputs pass as independent random blocks.
 * Writes the four 32-bit words of the block into `out` from `at` on; `out` may be `counter` itself.
 *
 * @param counter - four 32-bit words
 * @param key - two 32-bit words
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011, section 3.3.
 */
export function philox4x32(counter: Uint32Array, key: Uint32Array, out: Uint32Array, at = 0): void {
  let c0 = counter[0] | 0;
  let c1 = counter[1] | 0;
  let c2 = counter[2] | 0;
  let c3 = counter[3] | 0;
  let k0 = key[0] | 0;
  let k1 = key[1] | 0;
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0);
    const high1 = multiplyHigh(MULTIPLIER_1, c2);
    const low0 = Math.imul(MULTIPLIER_0, c0);
    const low1 = Math.imul(MULTIPLIER_1, c2);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + WEYL_0) | 0;
    k1 = (k1 + WEYL_1) | 0;
  }
  out[at] = c0;
  out[at + 1] = c1;
  out[at + 2] = c2;
  out[at + 3] = c3;
}

/** Fills `out` with the blocks of `counter` and of those after it; `counter` is left at the next. */
export function philoxBlocks(counter: Uint32Array, key: Uint32Array, out: Uint32Array): void {
  for (let at = 0; at < out.length; at += 4) {
    philox4x32(counter, key, out, at);
    countOn(counter);
  }
}

/** Adds 1, modulo 2⁶⁴, to the lower half of a counter: its words 0 and 1, the lower one first. */
export function countOn(counter: Uint32Array): void {
  counter[0]++;
  if (counter[0] === 0) counter[1]++;
}
