import { defineOp, split, type Tensor } from "../../../autograd/index.js";
import { fail } from "../../../errors/index.js";
import { NDArray, reserve, type FloatDType, type Floats } from "../../../tensor/index.js";
import { causalBackward } from "./backward.js";
import { causalForward, type CausalCall, type CausalTape } from "./forward.js";
import { choicesFor } from "./schedule.js";
import { causalTangent } from "./tangent.js";

/** One call of the layer; `tape` remembers the pivots that its forward pass chose. */
export interface CausalOperationCall extends CausalCall {
  tape?: CausalTape;
}

type Operation = ReturnType<typeof defineOp<CausalOperationCall>>;

const floatsLike = (array: NDArray, length: number): Floats => reserve(array.dtype as FloatDType, length);

const arraysOf = ([q, k, v]: readonly NDArray[]): {
  readonly q: Floats;
  readonly k: Floats;
  readonly v: Floats;
} => ({
  q: q!.data as Floats,
  k: k!.data as Floats,
  v: v!.data as Floats,
});

/** q, k, v → the causal attention `[…, tokens, channels]`. */
export const causalOperation: Operation = defineOp<CausalOperationCall>({
  name: "causalPivotedAttention",
  flops: (_inputs, _output, { problems, tokens, width, channels, rank, settings }) => {
    const { chunk } = settings;
    const choices = choicesFor(tokens, settings);
    const chosenFrom = settings.refresh === "doubling" ? 2 * tokens : choices * tokens;
    const row = rank * (2 * width + rank + 8);
    const within = (tokens * Math.min(chunk, tokens) * (2 * width + 2 * channels + 5)) / 2;
    return problems * ((chosenFrom + 2 * tokens) * row + 4 * tokens * rank * (channels + 1) + within);
  },
  forward: (inputs, call) => {
    const out = floatsLike(inputs[0]!, call.problems * call.tokens * call.channels);
    call.tape = causalForward(call, arraysOf(inputs), out);
    return new NDArray([...inputs[0]!.shape.slice(0, -1), call.channels], inputs[0]!.dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes: call }) => {
    const sizes = inputs.map((input) => input.size);
    const parts = split(pullback([cotangent, ...inputs], call), sizes);
    return parts.map((part, at) => part.reshape(inputs[at]!.shape));
  },
});

/** cotangent, q, k, v → the cotangents of q, k and v one after another in one vector. */
const pullback: Operation = defineOp<CausalOperationCall>({
  name: "causalPivotedAttention.pullback",
  forward: ([cotangent, ...inputs], call) => {
    const [q, k, v] = inputs.map((input) => input.size) as [number, number, number];
    const out = floatsLike(inputs[0]!, q + k + v);
    const grads = { dq: out.subarray(0, q), dk: out.subarray(q, q + k), dv: out.subarray(q + k) };
    causalBackward(call, tapeOf(call), arraysOf(inputs), cotangent!.data as Floats, grads);
    return new NDArray([out.length], inputs[0]!.dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes: call, needs }) => {
    refuseSecondOrder(needs.slice(1));
    return onlyFirst(pushforward([cotangent, ...inputs.slice(1)], call).reshape(inputs[0]!.shape));
  },
});

/** The tangents of q, k and v in one vector, q, k, v → the tangent of the attention: the pullback's transpose. */
const pushforward: Operation = defineOp<CausalOperationCall>({
  name: "causalPivotedAttention.pushforward",
  forward: ([tangents, ...inputs], call) => {
    const [q, k] = inputs.map((input) => input.size) as [number, number, number];
    const moved = tangents!.data as Floats;
    const out = floatsLike(inputs[0]!, call.problems * call.tokens * call.channels);
    const parts = { tq: moved.subarray(0, q), tk: moved.subarray(q, q + k), tv: moved.subarray(q + k) };
    causalTangent(call, tapeOf(call), arraysOf(inputs), parts, out);
    return new NDArray([...inputs[0]!.shape.slice(0, -1), call.channels], inputs[0]!.dtype, out);
  },
  vjp: ({ cotangent, inputs, attributes: call, needs }) => {
    refuseSecondOrder(needs.slice(1));
    return onlyFirst(pullback([cotangent, ...inputs.slice(1)], call));
  },
});

/** A cotangent for the first input and none for q, k and v. */
function onlyFirst(cotangent: Tensor): (Tensor | undefined)[] {
  return [cotangent, undefined, undefined, undefined];
}

function refuseSecondOrder(needs: readonly boolean[]): void {
  if (needs.includes(true)) {
    fail(
      "E_SECOND_ORDER",
      "residualPivotedAttention: the gradient of its causal form can be differentiated in the cotangent, not in q, k or v; " +
        "composedCausalPivotedAttention with the same pivots has second derivatives",
    );
  }
}

function tapeOf(call: CausalOperationCall): CausalTape {
  return call.tape ?? fail("E_INTERNAL", "residual-pivoted: the backward pass came before the forward pass");
}
