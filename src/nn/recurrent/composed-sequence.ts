import { concat, matmul, stack, zeros, type Tensor } from "../../autograd/index.js";
import {
  composedGateCotangents,
  composedGates,
  gateValues,
  type GateCotangents,
  type GateValues,
} from "./composed-gates.js";
import type { GruWeights } from "./gru-weights.js";

/** x `[time, batch, inputs]`, the first state `[batch, hidden]`, and the weights. */
export interface SequenceTensors extends GruWeights {
  readonly x: Tensor;
  readonly start: Tensor;
}

/** What flows back to the inputs and the weights of a layer; biases where there are some. */
export interface InputCotangents {
  readonly x: Tensor;
  readonly weights: readonly Tensor[];
}

/** One step in elementary operations, x `[batch, inputs]`. */
export function composedStep(weights: GruWeights, x: Tensor, h: Tensor): Tensor {
  return composedGates({ ...projections(weights, x, h), h });
}

/** The gates of one step, x `[batch, inputs]`, h the state before it. */
export function gatesOfStep(weights: GruWeights, x: Tensor, h: Tensor): GateValues {
  return gateValues({ ...projections(weights, x, h), h });
}

/** The way back through one step, g the cotangent of its result. `h` is the whole of what flows back to h. */
export function composedStepCotangents(g: Tensor, weights: GruWeights, x: Tensor, h: Tensor): GateCotangents {
  const { gi, gh, h: direct } = composedGateCotangents(g, { ...projections(weights, x, h), h });
  return { gi, gh, h: direct.add(matmul(gh, weights.weightHh)) };
}

function projections(
  { weightIh, weightHh, biasIh, biasHh }: GruWeights,
  x: Tensor,
  h: Tensor,
): { gi: Tensor; gh: Tensor; bi: Tensor | undefined; bh: Tensor | undefined } {
  const gi = matmul(x, weightIh, { transposeB: true });
  return { gi, gh: matmul(h, weightHh, { transposeB: true }), bi: biasIh, bh: biasHh };
}

/** The states after each step in elementary operations, `[batch, time, hidden]`: the twin of the fused sequence. */
export function composedSequence({ x, start, ...weights }: SequenceTensors): Tensor {
  const states: Tensor[] = [];
  for (let t = 0, h = start; t < x.shape[0]!; t++) {
    h = composedStep(weights, x.slice([t]), h);
    states.push(h);
  }
  return stack(states, 1);
}

/** The way back through a sequence in elementary operations, so that it can be differentiated again; g and states `[batch, time, hidden]`. */
export function composedSequenceCotangents(
  g: Tensor,
  { x, start, ...weights }: SequenceTensors,
  states: Tensor,
): InputCotangents & { start: Tensor } {
  const time = x.shape[0]!;
  const before = Array.from({ length: time }, (_, t) => (t === 0 ? start : states.slice([null, t - 1])));
  const steps = new Array<GateCotangents>(time);
  for (let t = time - 1; t >= 0; t--) {
    const own = g.slice([null, t]);
    const total = t + 1 < time ? own.add(steps[t + 1]!.h) : own;
    steps[t] = composedStepCotangents(total, weights, x.slice([t]), before[t]!);
  }
  const left = steps.map(({ gi, gh }, t) => ({ gi, gh, h: before[t]! }));
  return { ...composedInputCotangents([...steps.keys()], left, x, weights), start: steps[0]!.h };
}

/** What a step leaves for the inputs and the weights: its cotangents, and the state that it began with. */
export type StepLeft = Pick<GateCotangents, "gi" | "gh"> & { readonly h: Tensor };

/** Collects what steps left, rising; the others say nothing of x and the weights. */
export function composedInputCotangents(
  steps: readonly number[],
  left: readonly StepLeft[],
  x: Tensor,
  { weightIh, biasIh }: GruWeights,
): InputCotangents {
  const inward = concat(left.map(({ gi }) => gi));
  const onward = concat(left.map(({ gh }) => gh));
  const weights = [
    matmul(inward, concat(steps.map((t) => x.slice([t]))), { transposeA: true }),
    matmul(onward, concat(left.map(({ h }) => h)), { transposeA: true }),
  ];
  if (biasIh) weights.push(inward.sum(0), onward.sum(0));
  const rows = matmul(inward, weightIh).split(steps.length);
  const none = zeros([x.shape[1]!, x.shape[2]!], { dtype: x.dtype });
  const parts = Array.from({ length: x.shape[0]! }, (_, t) => rows[steps.indexOf(t)] ?? none);
  return { x: stack(parts), weights };
}
