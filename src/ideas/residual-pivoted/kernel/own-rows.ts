import type { Floats } from "../../../tensor/index.js";
import type { BackwardScratch } from "./backward.js";
import type { ProblemTape } from "./tape.js";

/** U = U′ + κ [V, 1] and P = P′ + H in the rows of exact pivots. */
export function addOwnRows(tape: ProblemTape, rank: number, v: Floats, scratch: BackwardScratch): void {
  const { queries, channels } = tape.size;
  const wide = channels + 1;
  const { rowCotangents, valueSide, querySide, valueRest, queryRest } = scratch;
  valueSide.set(valueRest);
  querySide.set(queryRest);
  for (let t = 0; t < rank; t++) {
    const row = tape.pivots[t]!;
    if (tape.exact[row] === 0) continue;
    for (let c = 0; c < wide; c++) {
      const at = t * wide + c;
      if (row < queries) querySide[at] = querySide[at]! + rowCotangents[row * wide + c]!;
      else valueSide[at] = valueSide[at]! + ownValue(tape, row - queries, v, c);
    }
  }
}

/** κ_j [V, 1]_jc. */
export function ownValue(tape: ProblemTape, j: number, v: Floats, c: number): number {
  const { channels } = tape.size;
  const value = c < channels ? tape.keyWeights[j]! * v[j * channels + c]! : tape.keyWeights[j]!;
  return tape.single ? Math.fround(value) : value;
}
