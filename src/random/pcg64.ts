import { checkedCount } from "./count.js";
import { checkedInteger } from "./identity.js";
import { seedSequence } from "./seed-sequence.js";

const MASK_64 = (1n << 64n) - 1n;
const MASK_128 = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n;

/**
 * The bit stream of NumPy's `default_rng(seed)`: PCG64 (a 128-bit linear congruential generator with the XSL-RR
 * output) seeded by SeedSequence. It exists to recompute p-values of reports made with NumPy; everything else draws
 * from {@link generator}.
 *
 * Source: O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random number
 * generation", HMC-CS-2014-0905.
 */
export class Pcg64 {
  #state: bigint;
  readonly #increment: bigint;
  #half: number | undefined;

  constructor(seed: number | bigint) {
    const words = seedSequence(checkedInteger(seed), 8);
    const wide = (first: number): bigint =>
      [1, 0, 3, 2].reduce((sum, offset) => (sum << 32n) | BigInt(words[first + offset]), 0n);
    this.#increment = ((wide(4) << 1n) | 1n) & MASK_128;
    this.#state = this.#increment;
    this.#state = (this.#state + wide(0)) & MASK_128;
    this.#advance();
  }

  /** The 128-bit state and increment, as NumPy's `bit_generator.state` shows them. */
  get state(): { readonly state: bigint; readonly increment: bigint } {
    return { state: this.#state, increment: this.#increment };
  }

  /** The next 64 bits. */
  next64(): bigint {
    this.#advance();
    const folded = (this.#state >> 64n) ^ (this.#state & MASK_64);
    const turn = this.#state >> 122n;
    return ((folded >> turn) | (folded << (64n - turn))) & MASK_64;
  }

  /** The next 32 bits: a 64-bit output gives its low half first and its high half to the call after. */
  next32(): number {
    if (this.#half !== undefined) {
      const half = this.#half;
      this.#half = undefined;
      return half;
    }
    const both = this.next64();
    this.#half = Number(both >> 32n);
    return Number(both & 0xffffffffn);
  }

  /** What `integers(0, 2, count)` gives: the top bit of successive 32-bit halves. */
  integers01(count: number): Uint8Array {
    const out = new Uint8Array(checkedCount(count));
    for (let i = 0; i < count; i++) out[i] = this.next32() >>> 31;
    return out;
  }

  #advance(): void {
    this.#state = (this.#state * MULTIPLIER + this.#increment) & MASK_128;
  }
}

/**
 * NumPy's `default_rng(seed)` as a bit stream.
 *
 * @throws E_VALUE unless the seed is a whole number ≥ 0
 */
export function pcg64(seed: number | bigint): Pcg64 {
  return new Pcg64(seed);
}
