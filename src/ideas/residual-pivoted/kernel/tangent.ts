import type { Floats } from "../../../tensor/index.js";
import { pointScale } from "./points.js";
import { solveLower } from "./solve-lower.js";
import type { ProblemTape } from "./tape.js";

/**
 * The directional derivative of the attention of one problem along (tq, tk, tv), pivots held, into `out`
 * `[queries, channels]`: the transpose of {@link backwardProblem}, from the same tape. With U = W⁻¹ A_kᵀ κ [V, 1],
 * the derivative of [N, Z] = A_q U is Ȧ_q U + A_q W⁻¹ (d(A_kᵀ κ [V, 1]) − Ẇ U). What cancels in the rows and columns of
 * exact pivots is left out, as in the backward pass.
 */
export function tangentProblem(
  tape: ProblemTape,
  rank: number,
  v: Floats,
  tangents: { readonly tq: Floats; readonly tk: Floats; readonly tv: Floats },
  out: Floats,
): void {
  const { size, points, columns, keyWeights, pivots } = tape;
  const { queries, keys, channels } = size;
  const rows = queries + keys;
  const wide = channels + 1;
  const moved = pointTangents(tape, tangents.tq, tangents.tk);
  const columnTangent = (i: number, t: number): number =>
    -columns[t * rows + i]! * pullOf(tape, moved, i, pivots[t]!);
  const mixedTangent = new Float64Array(rank * wide);
  const valueRest = Float64Array.from(tape.mixed.subarray(0, rank * wide));
  solveLower(tape, rank, valueRest, true);
  const ownValues = new Float64Array(rank * wide);
  const ownTangents = new Float64Array(rank * wide);
  for (let j = 0; j < keys; j++) {
    const row = queries + j;
    if (points.present[row] === 0) continue;
    const kappa = keyWeights[j]!;
    const growth = kappa * dotRows(points.rows, moved, row, points.width);
    if (tape.exact[row] === 1) {
      const at = pivots.indexOf(row) * wide;
      for (let c = 0; c < wide; c++) {
        const value = c < channels ? v[j * channels + c]! : 1;
        ownValues[at + c] = kappa * value;
        ownTangents[at + c] = growth * value + (c < channels ? kappa * tangents.tv[j * channels + c]! : 0);
      }
      continue;
    }
    for (let t = 0; t < rank; t++) {
      const entry = columns[t * rows + row]!;
      const weight = columnTangent(row, t) * kappa + entry * growth;
      for (let c = 0; c < wide; c++) {
        const value = c < channels ? v[j * channels + c]! : 1;
        const valueTangent = c < channels ? tangents.tv[j * channels + c]! : 0;
        mixedTangent[t * wide + c] =
          mixedTangent[t * wide + c]! + weight * value + entry * kappa * valueTangent;
      }
    }
  }
  const restTangent = mixedTangent.slice();
  for (let t = 0; t < rank; t++) {
    for (let s = 0; s < rank; s++) {
      const blockTangent = s === t ? 0 : columnTangent(pivots[t]!, s);
      for (let c = 0; c < wide; c++) {
        mixedTangent[t * wide + c] = mixedTangent[t * wide + c]! - blockTangent * valueRest[s * wide + c]!;
      }
    }
  }
  solveLower(tape, rank, mixedTangent, false);
  solveLower(tape, rank, mixedTangent, true);
  const row = new Float64Array(wide);
  for (let i = 0; i < queries; i++) {
    if (points.present[i] === 0) continue;
    row.fill(0);
    const exact = tape.exact[i] === 1;
    if (exact) {
      const at = pivots.indexOf(i) * wide;
      row.set(restTangent.subarray(at, at + wide));
    }
    for (let t = 0; t < rank; t++) {
      const entry = columns[t * rows + i]!;
      const entryTangent = columnTangent(i, t);
      for (let c = 0; c < wide; c++) {
        const at = t * wide + c;
        const rest = exact ? 0 : entryTangent * valueRest[at]! + entry * mixedTangent[at]!;
        row[c] = row[c]! + rest + entryTangent * ownValues[at]! + entry * ownTangents[at]!;
      }
    }
    const growth = dotRows(points.rows, moved, i, points.width);
    for (let c = 0; c < channels; c++) {
      const at = i * channels + c;
      if (tape.clamped[at] === 1) continue;
      const z = tape.normaliser[i]!;
      out[at] =
        tape.floored[i] === 1
          ? row[c]! / z + tape.raw[at]! * growth
          : (row[c]! - tape.raw[at]! * row[channels]!) / z;
    }
  }
}

/** The tangents of the points: scaled, and centred over the unmasked keys. */
function pointTangents(tape: ProblemTape, tq: Floats, tk: Floats): Float64Array {
  const { queries, keys, width, present } = tape.points;
  const moved = new Float64Array((queries + keys) * width);
  const scale = pointScale(width, tape.single);
  for (let c = 0; c < width; c++) {
    let sum = 0;
    let count = 0;
    for (let j = 0; j < keys; j++) {
      if (present[queries + j] === 0) continue;
      sum += tk[j * width + c]!;
      count++;
    }
    for (let i = 0; i < queries; i++)
      moved[i * width + c] = present[i] === 0 ? 0 : tq[i * width + c]! * scale;
    for (let j = 0; j < keys; j++) {
      const tangent = (tk[j * width + c]! - sum / count) * scale;
      moved[(queries + j) * width + c] = present[queries + j] === 0 ? 0 : tangent;
    }
  }
  return moved;
}

/** ⟨x_i − p, ẋ_i − ṗ⟩ for the point p of row `pivot`. */
function pullOf(tape: ProblemTape, moved: Float64Array, i: number, pivot: number): number {
  const { width, rows } = tape.points;
  let sum = 0;
  for (let c = 0; c < width; c++) {
    sum +=
      (rows[i * width + c]! - rows[pivot * width + c]!) * (moved[i * width + c]! - moved[pivot * width + c]!);
  }
  return sum;
}

function dotRows(a: Floats, b: Float64Array, row: number, width: number): number {
  let sum = 0;
  for (let c = row * width; c < (row + 1) * width; c++) sum += a[c]! * b[c]!;
  return sum;
}
