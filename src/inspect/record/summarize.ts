import type { NDArray } from "../../tensor/index.js";
import type { JsonNumber, Summary } from "../document.js";
import { toJson } from "../json-number.js";

/** Bins of a histogram. */
const bins = 16;

/** Rows and columns of a corner. */
const cornerSize = 4;

/** What is kept of an array; every element when there are at most `full`. */
export function summarize(array: NDArray, full: number): Summary {
  const { data, shape, size } = array;
  let [low, high, sum, largest] = [Infinity, -Infinity, 0, 0];
  let [zeros, nan, inf, negInf] = [0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    const value = data[i]!;
    if (value === 0) zeros++;
    if (Number.isNaN(value)) nan++;
    else if (value === Infinity) inf++;
    else if (value === -Infinity) negInf++;
    else {
      if (value < low) low = value;
      if (value > high) high = value;
      sum += value;
      largest = Math.max(largest, Math.abs(value));
    }
  }
  const finite = size - nan - inf - negInf;
  const counts = { ...(nan > 0 && { nan }), ...(inf > 0 && { inf }), ...(negInf > 0 && { negInf }) };
  return {
    range: finite === 0 ? null : [toJson(low), toJson(high)],
    mean: finite === 0 ? null : toJson(sum / finite),
    norm: toJson(normOf(data, largest)),
    zeros,
    ...counts,
    ...(size <= full
      ? { values: Array.from(data, toJson) }
      : { histogram: histogram(data, low, high), corner: cornerOf(data, shape) }),
  };
}

/** √Σx² of the finite elements, scaled by the largest magnitude, so that squares neither overflow nor vanish. */
function normOf(data: ArrayLike<number>, largest: number): number {
  if (largest === 0) return 0;
  let sum = 0;
  for (let i = 0; i < data.length; i++) {
    const value = data[i]! / largest;
    if (Number.isFinite(data[i])) sum += value * value;
  }
  return largest * Math.sqrt(sum);
}

function histogram(data: ArrayLike<number>, low: number, high: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  const width = high / bins - low / bins;
  for (let i = 0; i < data.length; i++) {
    const value = data[i]!;
    if (!Number.isFinite(value)) continue;
    const at = width > 0 ? Math.floor((value - low) / width) : 0;
    counts[Math.min(Math.max(at, 0), bins - 1)]!++;
  }
  return counts;
}

/** The first rows and columns of the first matrix; of a vector one row. */
function cornerOf(data: ArrayLike<number>, shape: readonly number[]): JsonNumber[][] {
  const columns = shape.at(-1) ?? 1;
  const rows = shape.at(-2) ?? 1;
  return Array.from({ length: Math.min(rows, cornerSize) }, (_, row) =>
    Array.from({ length: Math.min(columns, cornerSize) }, (_, column) =>
      toJson(data[row * columns + column]!),
    ),
  );
}
