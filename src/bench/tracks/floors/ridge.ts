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

/** What a ridge regression needs of its rows, whatever the penalty. */
interface NormalEquations {
  readonly centre: Float64Array;
  readonly intercept: Float64Array;
  /** XᵀX of the centred inputs, `[width, width]`, lower triangle. */
  readonly gram: Float64Array;
  /** XᵀY of the centred inputs and targets, `[width, outputs]`. */
  readonly cross: Float64Array;
}

function normalEquations({ x, y, width, outputs }: Table): NormalEquations {
  const count = y.length / outputs;
  const centre = columnMeans(x, width);
  const intercept = columnMeans(y, outputs);
  const gram = new Float64Array(width * width);
  const cross = new Float64Array(width * outputs);
  const row = new Float64Array(width);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < width; j++) row[j] = x[i * width + j] - centre[j];
    for (let j = 0; j < width; j++) {
      const value = row[j];
      for (let k = 0; k <= j; k++) gram[j * width + k] += value * row[k];
      for (let k = 0; k < outputs; k++) cross[j * outputs + k] += value * (y[i * outputs + k] - intercept[k]);
    }
  }
  return { centre, intercept, gram, cross };
}

function solveRidge({ centre, intercept, gram, cross }: NormalEquations, penalty: number): LinearFit {
  const width = centre.length;
  const penalised = gram.slice();
  for (let j = 0; j < width; j++) penalised[j * width + j] += penalty;
  return {
    centre,
    intercept,
    weights: solvePositiveDefinite(penalised, cross, width, intercept.length),
  };
}

/**
 * Ridge regression with an unpenalised intercept: W minimises Σ‖y − ȳ − (x − x̄) W‖² + λ‖W‖², from the normal equations
 * (XᵀX + λI) W = XᵀY on centred data.
 */
export function fitRidge(table: Table, penalty: number): LinearFit {
  return solveRidge(normalEquations(table), penalty);
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
  const fitted = normalEquations(rows(table, 0, cut));
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
