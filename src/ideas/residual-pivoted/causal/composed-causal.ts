import {
  concat,
  matmul,
  maximum,
  stopGradient,
  tensor,
  where,
  type Tensor,
} from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import { formatShape } from "../../../tensor/index.js";
import { offsetSlack, roundingSlack } from "../settings.js";
import { choicesFor, choosesBefore, completeCausalSettings, type CausalSettings } from "./schedule.js";

/** What {@link composedCausalPivotedAttention} takes beside q, k, v and the pivots. */
export interface ComposedCausalOptions extends Partial<Omit<CausalSettings, "causal">> {
  /** Default 0. */
  readonly ridge?: number;
}

/**
 * The causal form of the attention composed of the package's operations, from given pivots `[choices × problems × rank]` (as many
 * for every problem and choice, see `held`): for each chunk the keys before it through Â = C_q (W + ridge·D)⁻¹ C_kᵀ, with floor
 * and clamp, and those inside it exactly. The twin that the operation of the layer is tested against; it has derivatives of every
 * order. Meant for float64: in float32 the exponential kernel overflows. q, k `[…, n, d]`, v `[…, n, channels]`.
 *
 * Throws E_SHAPE when the pivots do not fit, E_VALUE for settings that are none.
 */
export function composedCausalPivotedAttention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  pivots: Int32Array,
  options: ComposedCausalOptions = {},
): Tensor {
  const { ridge = 0 } = options;
  const { chunk, refresh } = completeCausalSettings({ ...options, causal: true });
  const [tokens, width] = q.shape.slice(-2) as [number, number];
  const channels = v.shape.at(-1)!;
  const problems = q.shape.slice(0, -2).reduce((product, size) => product * size, 1);
  const choices = choicesFor(tokens, { causal: true, chunk, refresh });
  const rank = choices === 0 ? 0 : pivots.length / (choices * problems);
  if (choices > 0 && (!Number.isInteger(rank) || rank < 1 || pivots.some((row) => row < 0))) {
    fail(
      "E_SHAPE",
      `composedCausalPivotedAttention: expected the same number of pivots for each of ${choices} choices of ${problems} ` +
        `problems of shape ${formatShape(q.shape)}, got ${pivots.length} pivots`,
    );
  }
  const scale = 1 / Math.sqrt(Math.sqrt(width));
  const x = q.reshape([problems, tokens, width]).mul(scale);
  const keys = k.reshape([problems, tokens, width]).mul(scale);
  const values = v.reshape([problems, tokens, channels]);
  const part = (rows: Tensor, from: number, to: number): Tensor => rows.slice([null, [from, to]]);
  const chunks: Tensor[] = [];
  let choice = -1;
  let past = 0;
  for (let at = 0; at * chunk < tokens; at++) {
    const [from, to] = [at * chunk, Math.min((at + 1) * chunk, tokens)];
    if (choosesBefore(at, refresh)) [choice, past] = [choice + 1, from];
    const y = past === 0 ? keys : keys.sub(part(keys, 0, past).mean(1, { keepDims: true }));
    const inside = matmul(part(x, from, to), part(y, from, to).transpose())
      .exp()
      .mul(lowerTriangle(to - from, q.dtype));
    let numerator = matmul(inside, part(values, from, to));
    let normaliser = inside.sum(-1, { keepDims: true });
    if (past > 0) {
      const chosen = pivots.subarray(choice * problems * rank, (choice + 1) * problems * rank);
      const before = beforeChunk(part(x, 0, to), part(y, 0, from), part(values, 0, from), {
        chosen,
        past,
        ridge,
      });
      numerator = numerator.add(before.average.mul(before.z));
      normaliser = normaliser.add(before.z);
    }
    chunks.push(numerator.div(normaliser));
  }
  return concat(chunks, 1).reshape([...q.shape.slice(0, -1), channels]);
}

/** The average over the keys y of a prefix and its normaliser, for the queries x from that prefix's end on. */
function beforeChunk(
  x: Tensor,
  y: Tensor,
  values: Tensor,
  { chosen, past, ridge }: { readonly chosen: Int32Array; readonly past: number; readonly ridge: number },
): { readonly average: Tensor; readonly z: Tensor } {
  const [problems, keys, width] = y.shape as [number, number, number];
  const rank = chosen.length / problems;
  const points = concat([x.slice([null, [0, past]]), y.slice([null, [0, past]])], 1);
  const index = Int32Array.from(chosen, (row, at) => Math.floor(at / rank) * 2 * past + row);
  const pivots = points
    .reshape([problems * 2 * past, width])
    .gather(tensor(index, { dtype: "int32" }))
    .reshape([problems, rank, width]);
  const columns = (rows: Tensor): Tensor => matmul(rows, pivots.transpose()).exp();
  const diagonal = pivots.square().sum(-1).exp().reshape([problems, rank, 1]);
  const ones = tensor(
    Float64Array.from({ length: rank * rank }, (_, at) => Number(at % (rank + 1) === 0)),
    {
      shape: [rank, rank],
      dtype: x.dtype,
    },
  );
  const lower = columns(pivots).add(diagonal.mul(ones).mul(ridge)).cholesky();
  const ofQueries = columns(x.slice([null, [keys, x.shape[1]!]]));
  const queryFactor = lower.solveTriangular(ofQueries.transpose()).transpose();
  const keyFactor = lower.solveTriangular(columns(y).transpose());
  const z = matmul(queryFactor, keyFactor.sum(-1, { keepDims: true }));
  const isKey = tensor(
    Float64Array.from(chosen, (row) => Number(row >= past)),
    { shape: [problems, 1, rank], dtype: x.dtype },
  );
  const queries = x.slice([null, [keys, x.shape[1]!]]);
  const jensen = matmul(queries, y.mean(1, { keepDims: true }).transpose())
    .exp()
    .mul(keys);
  const bound = stopGradient(maximum(ofQueries.mul(isKey).sum(-1, { keepDims: true }), jensen));
  const single = x.dtype === "float32";
  const kept = where(z.less(bound.mul(1 - roundingSlack(single))), bound, z);
  const raw = matmul(queryFactor, matmul(keyFactor, values)).div(kept);
  const low = stopGradient(values.min(1, { keepDims: true }));
  const high = stopGradient(values.max(1, { keepDims: true }));
  const room = high
    .sub(low)
    .mul(roundingSlack(single))
    .add(maximum(low.abs(), high.abs()).mul(offsetSlack(single)));
  const average = where(raw.less(low.sub(room)), low, where(raw.greater(high.add(room)), high, raw));
  return { average, z: kept };
}

function lowerTriangle(size: number, dtype: Tensor["dtype"]): Tensor {
  const entries = Float64Array.from({ length: size * size }, (_, at) =>
    Number(at % size <= Math.floor(at / size)),
  );
  return tensor(entries, { shape: [size, size], dtype });
}
