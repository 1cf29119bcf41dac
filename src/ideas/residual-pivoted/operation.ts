import { defineOp, split, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { NDArray, reserve, type FloatDType, type Floats } from "../../tensor/index.js";
import {
  backwardBatch,
  forwardBatch,
  tangentBatch,
  type BatchPivots,
  type BatchPlan,
} from "./kernel/batch.js";
import type { ProblemSize } from "./kernel/points.js";
import type { Tape } from "./kernel/tape.js";

/** One call of the layer. The forward pass is a function of q, k, v and these; `tape` remembers what it computed. */
export interface Call {
  readonly size: ProblemSize;
  readonly problems: number;
  readonly rank: number;
  readonly plan: BatchPlan<BatchPivots>;
  tape?: Tape;
}

type Operation = ReturnType<typeof defineOp<Call>>;

function floatsLike(array: NDArray, length: number): Floats {
  return reserve(array.dtype as FloatDType, length);
}

function tapeOf(call: Call): Tape {
  return call.tape ?? fail("E_INTERNAL", "residual-pivoted: the backward pass came before the forward pass");
}

/** q, k, v → the attention `[…, queries, channels]`. */
export const attentionOperation: Operation = defineOp<Call>({
  name: "residualPivotedAttention",
  flops: (_inputs, _output, { size: { queries, keys, width, channels }, problems, rank }) => {
    const rows = queries + keys;
    const elimination = rows * rank * (2 * width + rank + 8);
    return problems * (elimination + 2 * rows * rank * (channels + 1));
  },
  forward: ([q, k, v], call) => {
    const { size, problems, rank, plan } = call;
    const out = floatsLike(q!, problems * size.queries * size.channels);
    const arrays = { q: q!.data as Floats, k: k!.data as Floats, v: v!.data as Floats };
    call.tape = forwardBatch(size, problems, rank, plan, arrays, out);
    return new NDArray([...q!.shape.slice(0, -1), size.channels], q!.dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes: call }) => unpack(pullback([cotangent, ...inputs], call), inputs),
});

/** cotangent, q, k, v → the cotangents of q, k and v one after another in one vector. */
const pullback: Operation = defineOp<Call>({
  name: "residualPivotedAttention.pullback",
  forward: ([cotangent, q, k, v], call) => {
    const out = floatsLike(q!, q!.size + k!.size + v!.size);
    const dq = out.subarray(0, q!.size);
    const dk = out.subarray(q!.size, q!.size + k!.size);
    const dv = out.subarray(q!.size + k!.size);
    backwardBatch(tapeOf(call), v!.data as Floats, cotangent!.data as Floats, { dq, dk, dv });
    return new NDArray([out.length], q!.dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes: call, needs }) => {
    refuseSecondOrder(needs.slice(1));
    return onlyFirst(pushforward([cotangent, ...inputs.slice(1)], call).reshape(inputs[0]!.shape));
  },
});

/** The tangents of q, k and v in one vector, q, k, v → the tangent of the attention: the pullback's transpose. */
const pushforward: Operation = defineOp<Call>({
  name: "residualPivotedAttention.pushforward",
  forward: ([tangents, q, k, v], call) => {
    const { size, problems } = call;
    const moved = tangents!.data as Floats;
    const out = floatsLike(q!, problems * size.queries * size.channels);
    const parts = {
      tq: moved.subarray(0, q!.size),
      tk: moved.subarray(q!.size, q!.size + k!.size),
      tv: moved.subarray(q!.size + k!.size),
    };
    tangentBatch(tapeOf(call), v!.data as Floats, parts, out);
    return new NDArray([...q!.shape.slice(0, -1), size.channels], q!.dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes: call, needs }) => {
    refuseSecondOrder(needs.slice(1));
    return onlyFirst(pullback([cotangent, ...inputs.slice(1)], call));
  },
});

function unpack(flat: Tensor, inputs: readonly Tensor[]): Tensor[] {
  const parts = split(
    flat,
    inputs.map((input) => input.size),
  );
  return parts.map((part, at) => part.reshape(inputs[at]!.shape));
}

/** A cotangent for the first input and none for q, k and v. */
function onlyFirst(cotangent: Tensor): (Tensor | undefined)[] {
  return [cotangent, undefined, undefined, undefined];
}

function refuseSecondOrder(needs: readonly boolean[]): void {
  if (needs.includes(true)) {
    fail(
      "E_SECOND_ORDER",
      "residualPivotedAttention: its gradient can be differentiated in the cotangent, not in q, k or v; " +
        "composedPivotedAttention with the same pivots has second derivatives",
    );
  }
}
