import { checkNumbers, fail, formatGiven } from "../errors/index.js";
import { fillBlocks } from "./blocks.js";
import { checkedCount } from "./count.js";
import { seedIdentity, streamIdentity, type Identity, type Seed } from "./identity.js";
import { log } from "./log.js";

const TWO_32 = 2 ** 32;
const TWO_53 = 2 ** 53;

/** The most words that are drawn ahead. */
const MOST_AHEAD = 1024;

/**
 * A stream of random numbers: Philox4x32-10 in counter mode. Two of the four words of the stream's identity are
 * the key and two are the upper half of the counter; the lower half counts blocks. The same seed and names give
 * the same bits in every engine and on every machine.
 */
export class Generator {
  readonly #identity: Identity;
  readonly #key: Uint32Array;
  readonly #counter: Uint32Array;
  /** Words drawn ahead: one block at first, twice as many each time, so that a stream of few numbers costs little. */
  #ahead = new Uint32Array(0);
  #used = 0;
  #spare = NaN;
  #hasSpare = false;

  /** Use {@link generator} and {@link Generator.stream}. */
  constructor(identity: Identity) {
    if (!(identity instanceof Uint32Array) || identity.length !== 4)
      fail(
        "E_VALUE",
        `Generator: expected an identity of four words, got ${formatGiven(identity)}; call generator(seed)`,
      );
    this.#identity = identity;
    this.#key = identity.slice(0, 2);
    this.#counter = Uint32Array.of(0, 0, identity[2], identity[3]);
  }

  /**
   * The child stream of this name, from its beginning. It depends on this generator's seed and names only, never
   * on how many numbers were drawn, and is independent of its parent and of every sibling.
   */
  stream(name: string): Generator {
    return new Generator(streamIdentity(this.#identity, name));
  }

  /** A whole number from 0 to 2³² − 1, each equally likely. */
  uint32(): number {
    if (this.#used === this.#ahead.length) this.#refill();
    return this.#ahead[this.#used++];
  }

  /** A multiple of 2⁻⁵³ in [0, 1), each equally likely. Draws two words. */
  uniform(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 0x4000000 + low) / TWO_53;
  }

  /**
   * A number from N(0, 1): Marsaglia's polar method, which makes two at a time, with a logarithm of our own so
   * that the bits are the same everywhere.
   *
   * Source: Marsaglia and Bray, "A convenient method for generating normal variables", SIAM Review 6 (1964).
   */
  normal(): number {
    if (this.#hasSpare) {
      this.#hasSpare = false;
      return this.#spare;
    }
    let u: number;
    let v: number;
    let square: number;
    do {
      u = 2 * this.uniform() - 1;
      v = 2 * this.uniform() - 1;
      square = u * u + v * v;
    } while (square >= 1 || square === 0);
    const factor = Math.sqrt((-2 * log(square)) / square);
    this.#spare = v * factor;
    this.#hasSpare = true;
    return u * factor;
  }

  /**
   * A whole number in [low, high), each exactly equally likely (draws above the largest multiple of the range
   * are thrown away).
   *
   * @throws E_VALUE unless low < high are safe integers less than 2⁵³ apart
   */
  integer(low: number, high: number): number {
    return low + this.#below(rangeOf(low, high));
  }

  /**
   * `count` numbers in [low, high): low + (high − low)·uniform().
   *
   * @throws E_VALUE for a count that is no size, or bounds that are not finite with low < high
   */
  uniforms(count: number, low = 0, high = 1): Float64Array {
    const out = new Float64Array(checkedCount(count));
    checkNumbers("uniforms", { low, high });
    const width = high - low;
    if (!(width > 0 && width < Infinity)) {
      fail("E_VALUE", `uniforms needs finite bounds with low < high; found low ${low}, high ${high}`);
    }
    for (let i = 0; i < count; i++) {
      let x: number;
      do x = low + width * this.uniform();
      while (x >= high);
      out[i] = x;
    }
    return out;
  }

  /**
   * `count` numbers from N(mean, std²), in the order in which {@link Generator.normal} gives them.
   *
   * @throws E_VALUE for a count that is no size, a mean that is not finite, or a std that is not finite and ≥ 0
   */
  normals(count: number, mean = 0, std = 1): Float64Array {
    const out = new Float64Array(checkedCount(count));
    checkNumbers("normals", { mean, std });
    if (!Number.isFinite(mean) || !(std >= 0 && std < Infinity)) {
      fail("E_VALUE", `normals needs a finite mean and a finite std ≥ 0; found mean ${mean}, std ${std}`);
    }
    for (let i = 0; i < count; i++) out[i] = mean + std * this.normal();
    return out;
  }

  /**
   * `count` whole numbers in [low, high), in the order in which {@link Generator.integer} gives them.
   *
   * @throws E_VALUE for a count that is no size, or bounds that are not 32-bit integers with low < high
   */
  integers(count: number, low: number, high: number): Int32Array {
    const out = new Int32Array(checkedCount(count));
    const range = rangeOf(low, high);
    if (low < -0x80000000 || high > 0x80000000) {
      fail("E_VALUE", `integers makes 32-bit integers, from −2^31 to 2^31 − 1; found [${low}, ${high})`);
    }
    for (let i = 0; i < count; i++) out[i] = low + this.#below(range);
    return out;
  }

  /**
   * The numbers 0 … count − 1 in random order, each order equally likely (Fisher–Yates, from the end).
   *
   * @throws E_VALUE for a count that is no size
   */
  permutation(count: number): Int32Array {
    const order = new Int32Array(checkedCount(count));
    for (let i = 0; i < count; i++) order[i] = i;
    for (let i = count - 1; i > 0; i--) {
      const j = this.#below(i + 1);
      const last = order[i];
      order[i] = order[j];
      order[j] = last;
    }
    return order;
  }

  /** A whole number in [0, range), range from 1 to 2⁵³ − 1. One word a try up to 2³², two words above. */
  #below(range: number): number {
    if (range <= TWO_32) {
      const limit = TWO_32 - (TWO_32 % range);
      let word: number;
      do word = this.uint32();
      while (word >= limit);
      return word % range;
    }
    const limit = TWO_53 - (TWO_53 % range);
    let whole: number;
    do whole = this.uniform() * TWO_53;
    while (whole >= limit);
    return whole % range;
  }

  #refill(): void {
    const { length } = this.#ahead;
    if (length < MOST_AHEAD) this.#ahead = new Uint32Array(Math.max(4, 2 * length));
    fillBlocks(this.#counter, this.#key, this.#ahead);
    this.#used = 0;
  }
}

/**
 * The root generator of a seed: a safe integer ≥ 0, a bigint ≥ 0 or a string. A number and a bigint of equal value
 * are the same seed; a string is a seed of its own kind ("1" is not 1).
 *
 * @throws E_VALUE for any other seed
 */
export function generator(seed: Seed): Generator {
  return new Generator(seedIdentity(seed));
}

function rangeOf(low: number, high: number): number {
  checkNumbers("a random integer", { low, high });
  const range = high - low;
  if (
    !Number.isSafeInteger(low) ||
    !Number.isSafeInteger(high) ||
    !Number.isSafeInteger(range) ||
    range <= 0
  ) {
    fail(
      "E_VALUE",
      `a random integer needs whole bounds with low < high, less than 2^53 apart; found [${low}, ${high})`,
    );
  }
  return range;
}
