import type { TrackNumbers } from "../track.js";
import { meanSquaredError } from "./mean-squared-error.js";
import { columnMeans } from "./mean-target.js";
import { solvePositiveDefinite } from "./cholesky-solve.js";

/** The penalties that the ridge floor chooses from. */
export const RIDGE_PENALTIES = [0.01, 0.1, 1, 10, 100] as const;

/** Rows of inputs `[count, width]` with their targets `[count, outputs]`. */
export interface Table {
  readonly x: TrackNumbers;
  readonly y: TrackNumbers;
  readonly width: number;
  readonly outputs: number;
}

/** A linear predictor y = (x − centre) W + intercept. */
export interface LinearFit {
  readonly centre: Float64Array;
  /** W, `[width, outputs]`. */
  readonly weights: Float64Array;
  readonly intercept: Float64Array;
}

function rows(table: Table, from: number, to: number): Table {
  const { x, y, width, outputs } = table;
  return {
    x: x.subarray(from * width, to * width),
    y: y.subarray(from * outputs, to * outputs),
    width,
    outputs,
  };
}

/** Rows less their means, and what every penalty needs of them. */
interface CentredRows {
  readonly width: number;
  readonly outputs: number;
  readonly centre: Float64Array;
  readonly intercept: Float64Array;
  /** X, `[count, width]`. */
  readonly x: Float64Array;
  /** Y, `[count, outputs]`. */
  readonly y: Float64Array;
  /** XᵀX `[width, width]`, or X Xᵀ `[count, count]` where that is the smaller one; the lower triangle. */
  readonly gram: Float64Array;
}

function centred(table: Table): CentredRows {
  const { width, outputs } = table;
  const centre = columnMeans(table.x, width);
  const intercept = columnMeans(table.y, outputs);
  const x = Float64Array.from(table.x, (value, i) => value - centre[i % width]);
  const y = Float64Array.from(table.y, (value, i) => value - intercept[i % outputs]);
  const count = y.length / outputs;
  const gram = count < width ? rowProducts(x, count, width) : columnProducts(x, count, width, x, width);
  return { width, outputs, centre, intercept, x, y, gram };
}

/** X Xᵀ: entry (i, j), j ≤ i, is the inner product of rows i and j. */
function rowProducts(x: Float64Array, count: number, width: number): Float64Array {
  const products = new Float64Array(count * count);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += x[i * width + k] * x[j * width + k];
      products[i * count + j] = sum;
    }
  }
  return products;
}

/** XᵀB: entry (j, k) is Σ over the rows of X's column j times B's column k; with X itself the lower triangle only. */
function columnProducts(
  x: Float64Array,
  count: number,
  width: number,
  b: Float64Array,
  columns: number,
): Float64Array {
  const products = new Float64Array(width * columns);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < width; j++) {
      const value = x[i * width + j];
      const last = b === x ? j + 1 : columns;
      for (let k = 0; k < last; k++) products[j * columns + k] += value * b[i * columns + k];
    }
  }
  return products;
}

/** W = (XᵀX + λI)⁻¹ XᵀY, which is Xᵀ (X Xᵀ + λI)⁻¹ Y: the smaller system is solved. */
function solveRidge(rows: CentredRows, penalty: number): LinearFit {
  const { width, outputs, centre, intercept, x, y, gram } = rows;
  const count = y.length / outputs;
  const size = Math.min(count, width);
  const penalised = gram.slice();
  for (let j = 0; j < size; j++) penalised[j * size + j] += penalty;
  const solve = (b: Float64Array): Float64Array => solvePositiveDefinite(penalised, b, size, outputs);
  const againstColumns = (b: Float64Array): Float64Array => columnProducts(x, count, width, b, outputs);
  return {
    centre,
    intercept,
    weights: count < width ? againstColumns(solve(y)) : solve(againstColumns(y)),
  };
}

/**
 * Ridge regression with an unpenalised intercept: W minimises Σ‖y − ȳ − (x − x̄) W‖² + λ‖W‖², from the normal equations
 * (XᵀX + λI) W = XᵀY on centred data.
 */
export function fitRidge(table: Table, penalty: number): LinearFit {
  return solveRidge(centred(table), penalty);
}

/** The predictions `[count, outputs]` of a fit on rows `[count, width]`. */
export function predictLinear(fit: LinearFit, x: TrackNumbers): Float64Array {
  const width = fit.centre.length;
  const outputs = fit.intercept.length;
  const count = x.length / width;
  const prediction = new Float64Array(count * outputs);
  for (let i = 0; i < count; i++) {
    prediction.set(fit.intercept, i * outputs);
    for (let j = 0; j < width; j++) {
      const value = x[i * width + j] - fit.centre[j];
      for (let k = 0; k < outputs; k++) prediction[i * outputs + k] += value * fit.weights[j * outputs + k];
    }
  }
  return prediction;
}

/**
 * The penalty with the smallest error on the last fifth of the rows (at least one) after a fit on the others; the
 * smaller penalty when two are equal. A single row holds nothing out: the largest penalty.
 */
export function chooseRidgePenalty(table: Table): number {
  const count = table.y.length / table.outputs;
  if (count < 2) return Math.max(...RIDGE_PENALTIES);
  const cut = count - Math.max(1, Math.floor(count / 5));
  const fitted = centred(rows(table, 0, cut));
  const held = rows(table, cut, count);
  let best: number = RIDGE_PENALTIES[0];
  let bestError = Infinity;
  for (const penalty of RIDGE_PENALTIES) {
    const error = meanSquaredError(predictLinear(solveRidge(fitted, penalty), held.x), held.y);
    if (error < bestError) {
      best = penalty;
      bestError = error;
    }
  }
  return best;
}
