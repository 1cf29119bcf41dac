import { checkedCount } from "./count.js";
import { checkedInteger } from "./identity.js";
import { seedSequence } from "./seed-sequence.js";
import { multiplyAdd, wholeOf, wideOf, type Wide } from "./wide-state.js";

const MULTIPLIER = wideOf(0x2360ed051fc65da44385df649fccf645n);

/**
 * The bit stream of NumPy's `default_rng(seed)`: PCG64 (a 128-bit linear congruential generator with the XSL-RR
 * output) seeded by SeedSequence. It exists to recompute p-values of reports made with NumPy; everything else draws
 * from {@link generator}.
 *
 * Source: O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random number
 * generation", HMC-CS-2014-0905.
 */
export class Pcg64 {
  readonly #state: Wide;
  readonly #increment: Wide;
  #half: number | undefined;
  /** The words of the last output. */
  #low = 0;
  #high = 0;

  constructor(seed: number | bigint) {
    const words = seedSequence(checkedInteger(seed), 8);
    const wide = (first: number): Wide => Uint32Array.from([2, 3, 0, 1], (offset) => words[first + offset]);
    this.#increment = wideOf((wholeOf(wide(4)) << 1n) | 1n);
    this.#state = wideOf(wholeOf(this.#increment) + wholeOf(wide(0)));
    this.#advance();
  }

  /** The 128-bit state and increment, as NumPy's `bit_generator.state` shows them. */
  get state(): { readonly state: bigint; readonly increment: bigint } {
    return { state: wholeOf(this.#state), increment: wholeOf(this.#increment) };
  }

  /** The next 64 bits. */
  next64(): bigint {
    this.#draw();
    return (BigInt(this.#high) << 32n) | BigInt(this.#low);
  }

  /** The next 32 bits: a 64-bit output gives its low half first and its high half to the call after. */
  next32(): number {
    if (this.#half !== undefined) {
      const half = this.#half;
      this.#half = undefined;
      return half;
    }
    this.#draw();
    this.#half = this.#high;
    return this.#low;
  }

  /** What `integers(0, 2, count)` gives: the top bit of successive 32-bit halves. */
  integers01(count: number): Uint8Array {
    const out = new Uint8Array(checkedCount(count));
    for (let i = 0; i < count; i++) out[i] = this.next32() >>> 31;
    return out;
  }

  /** Both halves of the state by exclusive or, turned right by as many bits as the state's six highest say. */
  #draw(): void {
    this.#advance();
    const state = this.#state;
    const turn = state[3] >>> 26;
    const low = state[0] ^ state[2];
    const high = state[1] ^ state[3];
    const from = turn < 32 ? low : high;
    const into = turn < 32 ? high : low;
    const bits = turn & 31;
    this.#low = ((from >>> bits) | ((into << 1) << (31 - bits))) >>> 0;
    this.#high = ((into >>> bits) | ((from << 1) << (31 - bits))) >>> 0;
  }

  #advance(): void {
    multiplyAdd(this.#state, MULTIPLIER, this.#increment);
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
