import { fail, formatGiven } from "../errors/index.js";
import { philox4x32 } from "./philox.js";

/** What a generator may be seeded with. */
export type Seed = number | bigint | string;

/** The 128 bits that tell one stream from every other: four 32-bit words. */
export type Identity = Uint32Array;

/** What was absorbed, so that a number, a text and a stream's name never meet in the same identity. */
const INTEGER_SEED = 1;
const TEXT_SEED = 2;
const STREAM_NAME = 3;

/** The first fractional bits of √2, √3, √5 and √7: nothing up the sleeve. */
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a];

/**
 * The identity that belongs to a seed. Numbers and bigints of equal value give equal identities; a string is a
 * seed of its own kind ("1" is not 1).
 *
 * @throws E_VALUE unless the seed is a safe integer ≥ 0, a bigint ≥ 0 or a string
 */
export function seedIdentity(seed: Seed): Identity {
  if (typeof seed === "string") return absorb(START, TEXT_SEED, textWords(seed));
  return absorb(START, INTEGER_SEED, integerWords(checkedInteger(seed)));
}

/** The identity of the stream `name` of a parent stream. */
export function streamIdentity(parent: Identity, name: string): Identity {
  if (typeof name !== "string") fail("E_VALUE", `a stream's name must be a string; found ${typeof name}`);
  return absorb(parent, STREAM_NAME, textWords(name));
}

/** A seed as a bigint; E_VALUE for what is not a non-negative whole number. */
export function checkedInteger(seed: number | bigint): bigint {
  const whole = typeof seed === "bigint" ? seed : Number.isSafeInteger(seed) ? BigInt(seed) : undefined;
  if (whole === undefined || whole < 0n) {
    fail(
      "E_VALUE",
      `a seed must be a whole number from 0 to 2^53 − 1, a bigint ≥ 0 or a string; found ${formatGiven(seed)}`,
    );
  }
  return whole;
}

/** The 32-bit words of a whole number, least significant first; one word for 0. */
export function integerWords(whole: bigint): number[] {
  const words: number[] = [];
  let rest = whole;
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return words;
}

/** Two UTF-16 units a word, so that even texts which are not well formed stay distinct. */
function textWords(text: string): number[] {
  const words = [text.length];
  for (let i = 0; i < text.length; i += 2) {
    const second = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
    words.push(((second << 16) | text.charCodeAt(i)) >>> 0);
  }
  return words;
}

/**
 * Hashes words into a 128-bit state: each pair of words is the key of one Philox block on the state, which is
 * then added to the state by exclusive or (the Davies–Meyer construction). The first pair holds the kind and the
 * number of words.
 */
function absorb(start: ArrayLike<number>, kind: number, words: readonly number[]): Identity {
  const state = Uint32Array.from(start);
  const block = new Uint32Array(4);
  const key = new Uint32Array(2);
  const message = [kind, words.length, ...words];
  for (let i = 0; i < message.length; i += 2) {
    key[0] = message[i];
    key[1] = message[i + 1] ?? 0;
    philox4x32(state, key, block);
    for (let word = 0; word < 4; word++) state[word] ^= block[word];
  }
  return state;
}
