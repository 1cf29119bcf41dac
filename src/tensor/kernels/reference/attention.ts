import {
  queriesAtOnce,
  weightsPitch,
  type AttentionArrays,
  type AttentionCotangents,
  type AttentionLayout,
} from "../attention-layout.js";
import type { Floats } from "../../dtype.js";
import {
  addTo,
  hiddenPairs,
  matrix,
  rowsOf,
  scaleBy,
  scoreCotangents,
  scoreScale,
  softmaxRows,
  timesTransposed,
  visibleProduct,
  writeRows,
  type Matrix,
} from "./attention-rows.js";

/** One head of one sequence, and the range of a block of its queries. */
interface Block {
  readonly stack: readonly [batch: number, head: number];
  readonly range: readonly [from: number, to: number];
}

function* blocksOf(stack: readonly [number, number], queries: number): Generator<Block> {
  for (let from = 0; from < queries; from += queriesAtOnce)
    yield { stack, range: [from, Math.min(from + queriesAtOnce, queries)] };
}

function* stacksOf({ batch, heads }: AttentionLayout): Generator<readonly [number, number]> {
  for (let b = 0; b < batch; b++) for (let h = 0; h < heads; h++) yield [b, h];
}

/** softmax(q·kᵀ) of a block, q being scaled already. */
function weightsOf(q: Matrix, k: Matrix, hidden: Uint8Array | undefined): Matrix {
  const weights = timesTransposed(q, k);
  softmaxRows(weights, hidden);
  return weights;
}

/** The first weight of a block among the kept ones. */
function keptAt({ heads, queries, keys }: AttentionLayout, { stack: [b, h], range }: Block): number {
  return ((b * heads + h) * queries + range[0]) * weightsPitch(keys);
}

/**
 * out = softmax((q/√features)·kᵀ)·v for each head of each sequence, 32 queries at a time with all keys. A hidden key takes no
 * part, whatever it and its value hold; a query that may look at nothing gives 0. Sums over features and over keys are those of a
 * matrix product, the total of a row is summed like any list (pieces of 4096 in order).
 */
export function attention(layout: AttentionLayout, arrays: AttentionArrays): void {
  const { queries, keys, features, width } = layout;
  const { q, k, v, out, weights: kept } = arrays;
  const scale = scoreScale(features, q);
  const pitch = weightsPitch(keys);
  for (const stack of stacksOf(layout)) {
    const key = rowsOf(k, layout.k, stack, [0, keys], features);
    const value = rowsOf(v, layout.v, stack, [0, keys], width);
    for (const block of blocksOf(stack, queries)) {
      const { range } = block;
      const query = scaleBy(rowsOf(q, layout.q, stack, range, features), scale);
      const hidden = hiddenPairs(layout, arrays, stack, range);
      const weights = weightsOf(query, key, hidden);
      if (kept) {
        const start = keptAt(layout, block);
        for (let i = 0; i < weights.rows; i++)
          kept.set(weights.data.subarray(i * keys, (i + 1) * keys), start + i * pitch);
      }
      writeRows(visibleProduct(weights, value, hidden, false), out, layout.out, stack, range[0]);
    }
  }
}

/** The weights of a block as the forward pass kept them. */
function keptWeightsOf(layout: AttentionLayout, kept: Floats, block: Block): Matrix {
  const { keys } = layout;
  const [from, to] = block.range;
  const weights = matrix(to - from, keys, kept);
  const start = keptAt(layout, block);
  const pitch = weightsPitch(keys);
  for (let i = 0; i < weights.rows; i++)
    weights.data.set(kept.subarray(start + i * pitch, start + i * pitch + keys), i * keys);
  return weights;
}

/**
 * The cotangents of q, k and v from g, that of the result. With the weights w and dw = g·vᵀ: ds = w·(dw − Σ g·out), dq = (ds·k)/√features,
 * dk = dsᵀ·(q/√features), dv = wᵀ·g. The sums over queries (of dk and dv) are taken over 32 of them, one running sum, and these
 * are added in order. Between a query and a key hidden from it nothing flows, NaN neither.
 */
export function attentionBackward(
  layout: AttentionLayout,
  arrays: AttentionArrays,
  g: Floats,
  cotangents: AttentionCotangents,
): void {
  const { queries, keys, features, width } = layout;
  const { q, k, v, out, weights: kept } = arrays;
  const scale = scoreScale(features, q);
  for (const stack of stacksOf(layout)) {
    const key = rowsOf(k, layout.k, stack, [0, keys], features);
    const value = rowsOf(v, layout.v, stack, [0, keys], width);
    const dKey = matrix(keys, features, k);
    const dValue = matrix(keys, width, v);
    for (const block of blocksOf(stack, queries)) {
      const { range } = block;
      const query = scaleBy(rowsOf(q, layout.q, stack, range, features), scale);
      const hidden = hiddenPairs(layout, arrays, stack, range);
      const weights = kept ? keptWeightsOf(layout, kept, block) : weightsOf(query, key, hidden);
      const dOut = rowsOf(g, layout.out, stack, range, width);
      const dScores = timesTransposed(dOut, value);
      scoreCotangents(weights, dScores, dOut, rowsOf(out, layout.out, stack, range, width), hidden);
      const dQuery = scaleBy(visibleProduct(dScores, key, hidden, false), scale);
      writeRows(dQuery, cotangents.q, layout.q, stack, range[0]);
      addTo(dKey, visibleProduct(dScores, query, hidden, true));
      addTo(dValue, visibleProduct(weights, dOut, hidden, true));
    }
    writeRows(dKey, cotangents.k, layout.k, stack, 0);
    writeRows(dValue, cotangents.v, layout.v, stack, 0);
  }
}
