import { gruFlops } from "./gru-flops.js";
import { defineOp, isRecording, Tensor } from "../../autograd/index.js";
import {
  kernels,
  NDArray,
  reserve,
  type FloatDType,
  type Floats,
  type GruWeight,
} from "../../tensor/index.js";
import { isUnfused } from "../unfused.js";
import {
  composedInputCotangents,
  composedStep,
  composedStepCotangents,
  type StepLeft,
} from "./composed-sequence.js";
import {
  elements,
  gateFlow,
  inputCotangents,
  onlySteps,
  startTape,
  stepGroups,
  WeightCotangents,
  type GateFlow,
  type GruTape,
} from "./gru-tape.js";
import { listOf, weightsOf, type GruWeights } from "./gru-weights.js";

/*
 * A GRU layer step by step, for states that are changed between the steps. What flows back to the inputs and the weights
 * is a sum over all steps; made for each step and added, it would cost more than the steps do. So a step does not hand it
 * back, but leaves what it is made of where all steps do, and hands back a one to a tensor of the layer's own, the turnstile. That
 * was made from inputs and weights before the first step; so a backward pass reaches it after the last, and it gives the cotangents
 * of all steps at once. As many ones as it has received, so many of the latest visits are those of this pass: one that
 * was broken off leaves visits, but no ones.
 */

/** A step that a backward pass went through; what it left is here when that pass is recorded. */
interface Visit {
  readonly t: number;
  readonly left: StepLeft | undefined;
}

/** What the steps of a layer share. */
interface Run {
  readonly tape: GruTape;
  readonly weight: GruWeight;
  /** Where the steps leave what flows to inputs and weights, if those can ever be asked for. */
  readonly flow: GateFlow | undefined;
  readonly visits: Visit[];
}

/** What a turnstile is made with, and what it shares with the steps. */
export interface TurnstileAttributes {
  run: Run | undefined;
  /** Whether inputs or weights may be asked for their cotangents. */
  readonly learns: boolean;
}

/** From x `[time, batch, inputs]` and the weights: a zero. */
export const turnstileOperation = defineOp<TurnstileAttributes>({
  name: "gruTurnstile",
  forward: ([x, ...list], attributes) => {
    const { weightIh, weightHh } = weightsOf(list);
    const tape = startTape(x!, weightIh);
    attributes.run = {
      tape,
      weight: kernels().gruWeight(tape.sizes.hidden, weightHh.data as Floats),
      flow: attributes.learns ? gateFlow(tape, tape.sizes.time) : undefined,
      visits: [],
    };
    return NDArray.zeros([], tape.dtype);
  },
  vjp: ({ cotangent, inputs, attributes, needs }) => {
    const [x, ...list] = inputs as [Tensor, ...Tensor[]];
    const { visits, tape, flow } = attributes.run!;
    const visited = visits.slice(visits.length - cotangent.item()).reverse();
    visits.length = 0;
    const steps = visited.map(({ t }) => t);
    if (isRecording()) {
      const left = visited.map((visit) => visit.left!);
      const found = composedInputCotangents(steps, left, x, weightsOf(list));
      return [found.x, ...found.weights];
    }
    const part = (array: NDArray): NDArray => onlySteps(array, steps);
    const inward = part(flow!.inward);
    const sums = new WeightCotangents(list, needs.slice(1));
    const [onward, before, rows] = [part(flow!.onward), part(tape.before), part(x.array)];
    for (const { from, to } of stepGroups(steps.length, tape.sizes.batch)) {
      sums.add({
        inward: elements(inward, from, to),
        onward: elements(onward, from, to),
        before: elements(before, from, to),
        x: elements(rows, from, to),
      });
    }
    return [needs[0] ? inputFlow(inward, steps, x, list[0]!) : undefined, ...sums.tensors()];
  },
});

/** The cotangent of x from what some steps left, zero for the other steps. */
function inputFlow(inward: NDArray, steps: readonly number[], x: Tensor, weightIh: Tensor): Tensor {
  const dtype = x.array.dtype as FloatDType;
  const out = new NDArray(x.shape, dtype, reserve(dtype, x.size));
  if (steps.length === x.shape[0]) inputCotangents(elements(inward), weightIh.array, elements(out));
  else {
    elements(out).fill(0);
    for (const [at, t] of steps.entries())
      inputCotangents(elements(inward, at, at + 1), weightIh.array, elements(out, t, t + 1));
  }
  return new Tensor(out);
}

interface StepAttributes {
  readonly run: Run;
  readonly t: number;
}

/** From the turnstile, h, x and the weights: the next h. */
export const gruStepOperation = defineOp<StepAttributes>({
  name: "gruStep",
  flops: ([, , x], { shape: [batch, hidden] }) => batch! * gruFlops(x!.shape.at(-1)!, hidden!),
  forward: ([, h, , ...list], { run: { tape, weight }, t }) => {
    const { biasIh, biasHh } = weightsOf(list);
    const { batch, hidden } = tape.sizes;
    const before = elements(tape.before, t, t + 1);
    before.set(h!.data);
    const states = reserve(tape.dtype, batch * hidden);
    kernels().gruForward(
      { time: 1, batch, hidden },
      {
        weight,
        biasIh: biasIh?.data as Floats | undefined,
        biasHh: biasHh?.data as Floats | undefined,
        gates: elements(tape.gates, t, t + 1),
        before,
        inner: elements(tape.inner, t, t + 1),
        states,
      },
    );
    return new NDArray([batch, hidden], tape.dtype, states);
  },
  vjp: ({ cotangent, inputs, attributes: { run, t }, needs }) => {
    const [, h, x, ...list] = inputs as [Tensor, Tensor, Tensor, ...Tensor[]];
    let left: StepLeft | undefined;
    let back: Tensor | undefined;
    if (isRecording()) {
      const found = composedStepCotangents(cotangent, weightsOf(list), x.slice([t]), h);
      left = { gi: found.gi, gh: found.gh, h };
      back = found.h;
    } else {
      back = fusedStep(cotangent, list[1]!, run, t, needs[1]!);
    }
    if (needs[0]) run.visits.push({ t, left });
    return [needs[0] ? one(run) : undefined, back, ...inputs.slice(2).map(() => undefined)];
  },
});

/** The way back through step t. What flows to inputs and weights is left where all steps leave it. */
function fusedStep(
  g: Tensor,
  weight: Tensor,
  { tape, flow }: Run,
  t: number,
  wanted: boolean,
): Tensor | undefined {
  const { dtype, gates, before, inner, sizes } = tape;
  const { batch, hidden } = sizes;
  const start = wanted ? reserve(dtype, batch * hidden) : undefined;
  kernels().gruBackward(
    { time: 1, batch, hidden },
    {
      cotangent: elements(g.array),
      first: 0,
      total: 1,
      carry: undefined,
      weight: weight.array.data as Floats,
      gates: elements(gates, t, t + 1),
      before: elements(before, t, t + 1),
      inner: elements(inner, t, t + 1),
      inward: flow ? elements(flow.inward, t, t + 1) : reserve(dtype, 3 * batch * hidden),
      onward: flow ? elements(flow.onward, t, t + 1) : reserve(dtype, 3 * batch * hidden),
      start,
    },
  );
  return start && new Tensor(new NDArray([batch, hidden], dtype, start));
}

function one({ tape: { dtype } }: Run): Tensor {
  const array = NDArray.zeros([], dtype);
  array.data[0] = 1;
  return new Tensor(array);
}

/** One step: the state `[batch, hidden]` before step t → the state after it. */
export type GruStep = (h: Tensor, t: number) => Tensor;

/**
 * The steps of a GRU layer over x `[time, batch, inputs]`, whose projection is one product for all of them; each is to be
 * taken once, with any state. All tensors have one floating type. Gradients are fused as those of `gruSequence` are.
 */
export function gruSteps(weights: GruWeights, x: Tensor): GruStep {
  if (isUnfused()) return (h, t) => composedStep(weights, x.slice([t]), h);
  const list = listOf(weights);
  const learns = isRecording() && [x, ...list].some((input) => input.requiresGrad);
  const attributes: TurnstileAttributes = { run: undefined, learns };
  const gate = turnstileOperation([x, ...list], attributes);
  const run = attributes.run!;
  return (h, t) => gruStepOperation([gate, h, x, ...list], { run, t });
}
