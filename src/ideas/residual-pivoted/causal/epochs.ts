import { beginPrefix, type Past } from "./begin-prefix.js";
import { chunkTokens, type CausalCall } from "./forward.js";
import { absorb, type Prefix, type RowSpace, type Tokens } from "./prefix.js";
import { choosesBefore } from "./schedule.js";

/** A chunk with the prefix as it was when its queries looked at it. */
export interface SeenChunk {
  readonly from: number;
  readonly tokens: Tokens;
  readonly prefix: Prefix | undefined;
}

/** Chunks that share their pivots, in order. */
export interface Epoch {
  /** The tokens before the first of the chunks, which the pivots are of; 0 for the first chunk, which has none. */
  readonly past: number;
  readonly chosen: Int32Array;
  readonly chunks: readonly SeenChunk[];
}

/** The epochs of one problem once more, from the pivots of its forward pass. */
export function* epochsOf(
  call: CausalCall,
  pivots: Int32Array,
  problem: number,
  arrays: Omit<Past, "length">,
  space: RowSpace,
): Generator<Epoch> {
  const { tokens, problems, rank, settings } = call;
  const { chunk, refresh } = settings;
  let choice = 0;
  let at = 0;
  while (at * chunk < tokens) {
    const past = at * chunk;
    let prefix: Prefix | undefined;
    const chosen = new Int32Array(rank).fill(-1);
    if (at > 0) {
      const from = (choice * problems + problem) * rank;
      const held = pivots.subarray(from, from + rank);
      prefix = beginPrefix(call, { ...arrays, length: past }, { held }, chosen, space);
      choice++;
    }
    const chunks: SeenChunk[] = [];
    do {
      const from = at * chunk;
      const here = chunkTokens(call, arrays, from, Math.min(chunk, tokens - from), prefix);
      chunks.push({ from, tokens: here, prefix: prefix && copyOf(prefix) });
      at++;
      if (prefix && at * chunk < tokens && !choosesBefore(at, refresh)) absorb(prefix, here, space);
    } while (at * chunk < tokens && !choosesBefore(at, refresh));
    yield { past, chosen, chunks };
  }
}

/** The prefix as it is now: a copy of all that a chunk to come will change. */
function copyOf(prefix: Prefix): Prefix {
  const { mixed, own, ownWeights, keySum, low, high, lowest, highest } = prefix;
  return {
    ...prefix,
    mixed: mixed.slice(),
    own: own.slice(),
    ownWeights: ownWeights.slice(),
    keySum: keySum.slice(),
    low: low.slice(),
    high: high.slice(),
    lowest: lowest.slice(),
    highest: highest.slice(),
  };
}
