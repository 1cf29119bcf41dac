import { eye, tensor, type Tensor } from "../../autograd/index.js";
import { causalOperation, type CausalOperationCall } from "../../ideas/residual-pivoted/causal/operation.js";
import { attentionOperation, type Call } from "../../ideas/residual-pivoted/operation.js";
import type { Pivot } from "./attention-map.js";
import type { Operands } from "./operands.js";

/** What a pivoted attention does with values; problems are examples and heads, one after another. */
export interface PivotedWeights {
  /** `[batch, heads, queries, keys]` */
  readonly weights: Tensor;
  readonly pivotsOf: (problem: number) => Pivot[];
  /** The queries of a problem whose normaliser was replaced by its bound. */
  readonly flooredOf: (problem: number) => number[];
}

/** The approximation of a pivoted attention, from what it makes of values that are the rows of the identity, before they are clamped. */
export function pivotedWeights({ q, k }: Operands, { size, problems, rank, plan }: Call): PivotedWeights {
  const { queries, keys } = size;
  const values = eye(keys, keys, { dtype: q.dtype }).expand([...k.shape.slice(0, 2), keys, keys]);
  const call: Call = { size: { ...size, channels: keys }, problems, rank, plan };
  attentionOperation([q, k, values], call);
  const { floats, pivots, floored } = call.tape!;
  return {
    weights: tensor(floats.raw, { shape: [...q.shape.slice(0, 3), keys], dtype: q.dtype }),
    pivotsOf: (problem) =>
      [...pivots.subarray(problem * rank, (problem + 1) * rank)]
        .filter((row) => row >= 0)
        .map((row) => (row < queries ? { kind: "query", row } : { kind: "key", row: row - queries })),
    flooredOf: (problem) =>
      Array.from({ length: queries }, (_, query) => query).filter(
        (query) => floored[problem * queries + query] === 1,
      ),
  };
}

/** What a causal pivoted attention makes of values that are the rows of the identity. */
export function causalPivotedWeights({ q, k }: Operands, call: CausalOperationCall): Tensor {
  const keys = k.shape[2]!;
  const values = eye(keys, keys, { dtype: q.dtype }).expand([...k.shape.slice(0, 2), keys, keys]);
  const again: CausalOperationCall = { ...call, channels: keys };
  delete again.tape;
  return causalOperation([q, k, values], again);
}
