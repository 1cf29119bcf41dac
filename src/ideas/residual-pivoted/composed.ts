import { concat, matmul, maximum, stopGradient, tensor, where, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";
import { offsetSlack, roundingSlack } from "./settings.js";

/**
 * The same attention composed of the package's operations, from given pivots `[problems × rank]` (rows of [Q; K]; as
 * many for every problem) and without masks: Â = C_q (W + ridge·D)⁻¹ C_kᵀ with C = K_X[:,S], W = K_X[S,S], D its
 * diagonal, written with K_X itself and with matrices of the size of attention. It is the law that the fused operation
 * is tested against, floor and clamp included, and it has derivatives of every order. Meant for float64: in float32
 * K_X overflows and loses its last digits at large norms. q, k `[…, n, d]`, v `[…, n, channels]`.
 *
 * Throws E_SHAPE when the pivots do not fit.
 */
export function composedPivotedAttention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  pivots: Int32Array,
  ridge = 0,
): Tensor {
  const [queries, width] = q.shape.slice(-2) as [number, number];
  const [keys, channels] = v.shape.slice(-2) as [number, number];
  const leading = q.shape.slice(0, -2);
  const problems = leading.reduce((product, size) => product * size, 1);
  const rank = pivots.length / problems;
  if (!Number.isInteger(rank) || rank < 1 || pivots.some((row) => row < 0 || row >= queries + keys)) {
    fail(
      "E_SHAPE",
      `composedPivotedAttention: expected the same number of pivots for each of ${problems} problems of shape ` +
        `${formatShape(q.shape)}, got ${pivots.length} pivots`,
    );
  }
  const scale = 1 / Math.sqrt(Math.sqrt(width));
  const x = q.reshape([problems, queries, width]).mul(scale);
  const centred = k.sub(k.mean(-2, { keepDims: true }));
  const y = centred.reshape([problems, keys, width]).mul(scale);
  const values = v.reshape([problems, keys, channels]);
  const points = concat([x, y], 1);
  const index = Int32Array.from(pivots, (row, at) => Math.floor(at / rank) * (queries + keys) + row);
  const chosen = points
    .reshape([problems * (queries + keys), width])
    .gather(tensor(index, { dtype: "int32" }))
    .reshape([problems, rank, width]);
  const queryColumns = matmul(x, chosen.transpose()).exp();
  const keyColumns = matmul(y, chosen.transpose()).exp();
  const block = matmul(chosen, chosen.transpose()).exp();
  const diagonal = chosen.square().sum(-1).exp().reshape([problems, rank, 1]);
  const lower = block.add(diagonal.mul(identity(rank, q.dtype)).mul(ridge)).cholesky();
  const queryFactor = lower.solveTriangular(queryColumns.transpose()).transpose();
  const keyFactor = lower.solveTriangular(keyColumns.transpose());
  const z = matmul(queryFactor, keyFactor.sum(-1, { keepDims: true }));
  const raw = matmul(queryFactor, matmul(keyFactor, values)).div(
    floored(z, queryColumns, pivots, queries, keys),
  );
  return clamped(raw, values, q.dtype === "float32").reshape([...leading, queries, channels]);
}

function identity(size: number, dtype: Tensor["dtype"]): Tensor {
  const entries = Float64Array.from({ length: size * size }, (_, at) => (at % (size + 1) === 0 ? 1 : 0));
  return tensor(entries, { shape: [size, size], dtype });
}

/** Z, or its certified bound as a constant where Z lies below it. */
function floored(z: Tensor, queryColumns: Tensor, pivots: Int32Array, queries: number, keys: number): Tensor {
  const [problems, , rank] = queryColumns.shape as [number, number, number];
  const isKey = tensor(
    Float64Array.from(pivots, (row) => (row >= queries ? 1 : 0)),
    { shape: [problems, 1, rank], dtype: z.dtype },
  );
  const bound = stopGradient(maximum(queryColumns.mul(isKey).sum(-1, { keepDims: true }), keys));
  return where(z.less(bound.mul(1 - roundingSlack(z.dtype === "float32"))), bound, z);
}

/** The output, or the bound of its channel as a constant where it lies outside the range of the values. */
function clamped(raw: Tensor, values: Tensor, single: boolean): Tensor {
  const low = stopGradient(values.min(1, { keepDims: true }));
  const high = stopGradient(values.max(1, { keepDims: true }));
  const room = high
    .sub(low)
    .mul(roundingSlack(single))
    .add(maximum(low.abs(), high.abs()).mul(offsetSlack(single)));
  return where(raw.less(low.sub(room)), low, where(raw.greater(high.add(room)), high, raw));
}
