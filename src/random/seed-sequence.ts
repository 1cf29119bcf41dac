import { integerWords } from "./identity.js";

const POOL = 4;
const SHIFT = 16;

/** A running multiplicative hash: each call scrambles one word with a constant that the call also advances. */
function scrambler(start: number, step: number): (word: number) => number {
  let constant = start;
  return (word) => {
    let hashed = word ^ constant;
    constant = Math.imul(constant, step);
    hashed = Math.imul(hashed, constant);
    return (hashed ^ (hashed >>> SHIFT)) >>> 0;
  };
}

function combine(into: number, word: number): number {
  const mixed = (Math.imul(0xca01f9dd, into) - Math.imul(0x4973f715, word)) | 0;
  return (mixed ^ (mixed >>> SHIFT)) >>> 0;
}

/**
 * The state words that NumPy's `SeedSequence(entropy).generate_state(count)` gives for an integer: a pool of four
 * words in which each word of the entropy has touched every word, read out through a second hash.
 *
 * Source: O'Neill, "Developing a seed_seq alternative" (2015), with NumPy's constants (NEP 19).
 */
export function seedSequence(entropy: bigint, count: number): Uint32Array {
  const words = integerWords(entropy);
  const absorb = scrambler(0x43b0d7e5, 0x931e8875);
  const pool: number[] = [];
  for (let i = 0; i < POOL; i++) pool.push(absorb(words[i] ?? 0));
  for (let from = 0; from < POOL; from++) {
    for (let to = 0; to < POOL; to++) {
      if (from !== to) pool[to] = combine(pool[to], absorb(pool[from]));
    }
  }
  for (const word of words.slice(POOL)) {
    for (let to = 0; to < POOL; to++) pool[to] = combine(pool[to], absorb(word));
  }
  const read = scrambler(0x8b51f9dd, 0x58f38ded);
  return Uint32Array.from({ length: count }, (_, i) => read(pool[i % POOL]));
}
