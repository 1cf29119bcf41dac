import type { Floats } from "../../../tensor/index.js";
import { ownValue } from "./own-rows.js";
import type { ProblemTape } from "./tape.js";

/**
 * Σ_j Â_ij κ_j [V, 1]_j of query i: the channels into `raw`, the normaliser is returned. An exact query has the row of A.
 * Any other has F_i of the keys that are not exact, and the entries of A in the columns of those that are: the product of
 * factors would give these too, but as a sum of terms that may be larger than they by any factor, and the digits that
 * cancel would be lost where κ of the pivot is all that counts.
 */
export function combineRow(tape: ProblemTape, rank: number, i: number, v: Floats): number {
  return tape.exact[i] === 1 ? exactRow(tape, i, v) : factoredRow(tape, rank, i, v);
}

function factoredRow(tape: ProblemTape, rank: number, i: number, v: Floats): number {
  const { single, mixed, factor, columns, pivots, size, raw } = tape;
  const { queries, keys, channels } = size;
  const rows = queries + keys;
  const at = i * channels;
  let z = 0;
  for (let t = 0; t < rank; t++) {
    const f = factor[t * rows + i]!;
    const from = t * (channels + 1);
    for (let c = 0; c < channels; c++) {
      const product = single ? Math.fround(f * mixed[from + c]!) : f * mixed[from + c]!;
      raw[at + c] = raw[at + c]! + product;
    }
    z = single ? Math.fround(z + Math.fround(f * mixed[from + channels]!)) : z + f * mixed[from + channels]!;
  }
  for (let t = 0; t < rank; t++) {
    const key = pivots[t]! - queries;
    if (key < 0 || tape.exact[pivots[t]!] === 0) continue;
    const entry = columns[t * rows + i]!;
    for (let c = 0; c < channels; c++) {
      const product = entry * ownValue(tape, key, v, c);
      raw[at + c] = raw[at + c]! + (single ? Math.fround(product) : product);
    }
    const product = entry * ownValue(tape, key, v, channels);
    z = single ? Math.fround(z + Math.fround(product)) : z + product;
  }
  return z;
}

function exactRow(tape: ProblemTape, i: number, v: Floats): number {
  const { single, columns, keyWeights, pivots, size, raw } = tape;
  const { queries, keys, channels } = size;
  const row = pivots.indexOf(i) * (queries + keys) + queries;
  const at = i * channels;
  let z = 0;
  for (let j = 0; j < keys; j++) {
    const weight = keyWeights[j]!;
    if (weight === 0) continue;
    const scaled = single ? Math.fround(columns[row + j]! * weight) : columns[row + j]! * weight;
    for (let c = 0; c < channels; c++) {
      const product = single ? Math.fround(scaled * v[j * channels + c]!) : scaled * v[j * channels + c]!;
      raw[at + c] = raw[at + c]! + product;
    }
    z = single ? Math.fround(z + scaled) : z + scaled;
  }
  return z;
}
