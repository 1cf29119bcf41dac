import { gruFlops } from "./gru-flops.js";
import { defineOp, isRecording, Tensor } from "../../autograd/index.js";
import { kernels, NDArray, reserve, type Floats } from "../../tensor/index.js";
import { isUnfused } from "../unfused.js";
import { composedSequence, composedSequenceCotangents, type SequenceTensors } from "./composed-sequence.js";
import {
  elements,
  gateFlow,
  inputCotangents,
  startTape,
  stepGroups,
  WeightCotangents,
  type GruTape,
} from "./gru-tape.js";
import { listOf, weightsOf } from "./gru-weights.js";

/** Filled by the forward pass for the backward pass. */
interface Attributes {
  tape: GruTape | undefined;
}

/** The states of a GRU layer after each step, in one operation. */
export const gruSequenceOperation = defineOp<Attributes>({
  name: "gruSequence",
  flops: ([x], { shape: [batch, time, hidden] }) => batch! * time! * gruFlops(x!.shape.at(-1)!, hidden!),
  forward: ([x, start, ...weights], attributes) => {
    const { weightIh, weightHh, biasIh, biasHh } = weightsOf(weights);
    const tape = startTape(x!, weightIh);
    const { sizes, dtype, gates, before, inner } = tape;
    const { time, batch, hidden } = sizes;
    const states = reserve(dtype, time * batch * hidden);
    (before.data as Floats).set(start!.data);
    kernels().gruForward(sizes, {
      weight: kernels().gruWeight(hidden, weightHh.data as Floats),
      biasIh: biasIh?.data as Floats | undefined,
      biasHh: biasHh?.data as Floats | undefined,
      gates: gates.data as Floats,
      before: before.data as Floats,
      inner: inner.data as Floats,
      states,
    });
    attributes.tape = tape;
    return new NDArray([batch, time, hidden], dtype, states);
  },
  vjp: ({ cotangent, inputs, output, attributes, needs }) => {
    const [x, start, ...list] = inputs as [Tensor, Tensor, ...Tensor[]];
    if (!isRecording()) return fusedCotangents(cotangent, x, list, attributes.tape!, needs);
    const found = composedSequenceCotangents(cotangent, { x, start, ...weightsOf(list) }, output);
    return [found.x, found.start, ...found.weights];
  },
});

function fusedCotangents(
  g: Tensor,
  x: Tensor,
  weights: readonly Tensor[],
  tape: GruTape,
  needs: readonly boolean[],
): (Tensor | undefined)[] {
  const { sizes, dtype, gates, before, inner } = tape;
  const { time, batch, hidden } = sizes;
  const groups = stepGroups(time, batch);
  const flow = gateFlow(tape, groups[0]!.to - groups[0]!.from);
  const sums = new WeightCotangents(weights, needs.slice(2));
  const dx = needs[0] ? new NDArray(x.shape, dtype, reserve(dtype, x.size)) : undefined;
  let carry: Floats | undefined;
  for (const { from, to } of groups) {
    const inward = elements(flow.inward, 0, to - from);
    const onward = elements(flow.onward, 0, to - from);
    const start = from > 0 || needs[1] ? reserve(dtype, batch * hidden) : undefined;
    kernels().gruBackward(
      { time: to - from, batch, hidden },
      {
        cotangent: elements(g.array),
        first: from,
        total: time,
        carry,
        weight: elements(weights[1]!.array),
        gates: elements(gates, from, to),
        before: elements(before, from, to),
        inner: elements(inner, from, to),
        inward,
        onward,
        start,
      },
    );
    carry = start;
    sums.add({ inward, onward, before: elements(before, from, to), x: elements(x.array, from, to) });
    if (dx) inputCotangents(inward, weights[0]!.array, elements(dx, from, to));
  }
  return [
    dx && new Tensor(dx),
    carry && new Tensor(new NDArray([batch, hidden], dtype, carry)),
    ...sums.tensors(),
  ];
}

/**
 * A GRU layer over a whole series, in one operation: the states after each step, `[batch, time, hidden]`, from
 * x `[time, batch, inputs]` and the state `[batch, hidden]` before the first. All tensors have one floating type. Its gradient
 * is fused too; when the backward pass itself is recorded it is composed of elementary operations, so that second
 * derivatives work.
 */
export function gruSequence({ x, start, ...weights }: SequenceTensors): Tensor {
  if (isUnfused()) return composedSequence({ x, start, ...weights });
  return gruSequenceOperation([x, start, ...listOf(weights)], { tape: undefined });
}
