import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineOp, gradients, scope, tensor, type Tensor } from "../../../src/autograd/index.js";
import {
  composedSequence,
  composedStep,
  type SequenceTensors,
} from "../../../src/nn/recurrent/composed-sequence.js";
import { gruSequence } from "../../../src/nn/recurrent/gru-sequence.js";
import { gruSteps } from "../../../src/nn/recurrent/gru-steps.js";
import { joinSteps } from "../../../src/nn/recurrent/time-steps.js";
import { generator } from "../../../src/random/index.js";
import { poisonArena } from "../../../src/tensor/index.js";
import { expectAdjoint } from "../../../src/testing/index.js";
import { expectCorrectGradients, expectCorrectSecondDerivatives } from "../gradient-law.js";
import { expectSameBits } from "../near.js";

interface Sizes {
  readonly time: number;
  readonly batch: number;
  readonly inputs: number;
  readonly hidden: number;
  readonly bias: boolean;
}

function draw(
  seed: number,
  { time, batch, inputs, hidden, bias }: Sizes,
  dtype: "float32" | "float64",
): { tensors: SequenceTensors; leaves: readonly Tensor[] } {
  const rng = generator(seed);
  const make = (...shape: number[]): Tensor => {
    const values = rng.normals(
      shape.reduce((a, b) => a * b),
      0,
      hidden > 21 ? 0.2 : 1,
    );
    return tensor(values, { dtype, shape, requiresGrad: true });
  };
  const tensors = {
    x: make(time, batch, inputs),
    start: make(batch, hidden),
    weightIh: make(3 * hidden, inputs),
    weightHh: make(3 * hidden, hidden),
    biasIh: bias ? make(3 * hidden) : undefined,
    biasHh: bias ? make(3 * hidden) : undefined,
  };
  return { tensors, leaves: Object.values(tensors).filter((leaf) => leaf !== undefined) };
}

/** Tensors in the order in which {@link draw} lists its leaves. */
const named = ([x, start, weightIh, weightHh, biasIh, biasHh]: readonly Tensor[]): SequenceTensors => ({
  x: x!,
  start: start!,
  weightIh: weightIh!,
  weightHh: weightHh!,
  biasIh,
  biasHh,
});

type Form = (tensors: SequenceTensors) => Tensor;

/** Step by step, each state changed before the next step. */
const stepwise =
  (change: (h: Tensor, t: number) => Tensor): Form =>
  ({ x, start, ...weights }) => {
    const step = gruSteps(weights, x);
    const states: Tensor[] = [];
    for (let t = 0, h = start; t < x.shape[0]!; t++) states.push((h = change(step(h, t), t)));
    return joinSteps(states);
  };

const composedStepwise =
  (change: (h: Tensor, t: number) => Tensor): Form =>
  ({ x, start, ...weights }) => {
    const states: Tensor[] = [];
    for (let t = 0, h = start; t < x.shape[0]!; t++)
      states.push((h = change(composedStep(weights, x.slice([t]), h), t)));
    return joinSteps(states);
  };

const halved = (h: Tensor): Tensor => h.mul(0.5);
const forms: readonly (readonly [string, Form, Form])[] = [
  ["the sequence", gruSequence, composedSequence],
  ["the steps", stepwise((h) => h), composedSequence],
  ["the steps, states changed", stepwise(halved), composedStepwise(halved)],
];

const sizes = fc.record({
  time: fc.integer({ min: 1, max: 5 }),
  batch: fc.integer({ min: 1, max: 5 }),
  inputs: fc.integer({ min: 1, max: 3 }),
  hidden: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom(16, 21)),
  bias: fc.boolean(),
});

describe.each(forms)("%s", (_, fused, composed) => {
  const seed = fc.nat();

  /** The same bits forward, gradients to rounding. */
  const expectTwins = (draws: number, size: Sizes, dtype: "float32" | "float64"): void => {
    const unit = dtype === "float32" ? 2 ** -24 : 2 ** -53;
    const { tensors, leaves } = draw(draws, size, dtype);
    const found = fused(tensors);
    const wanted = composed(tensors);
    expectSameBits(found, wanted);
    const normals = generator(draws).stream("g").normals(found.size);
    const cotangents = [tensor(normals, { dtype, shape: found.shape })];
    const slopes = gradients(found, leaves, { cotangents });
    gradients(wanted, leaves, { cotangents }).forEach((slope, i) => {
      const error = Math.max(...slopes[i]!.sub(slope!).abs().values());
      const largest = Math.max(...slope!.abs().values(), ...cotangents[0]!.abs().values());
      expect(error, `leaf ${i}`).toBeLessThanOrEqual(64 * size.time * Math.sqrt(size.batch) * unit * largest);
    });
  };

  it.each(["float32", "float64"] as const)("is its composed twin in %s", (dtype) => {
    fc.assert(
      fc.property(seed, sizes, fc.boolean(), (draws, size, scoped) => {
        const compare = (): void => expectTwins(draws, size, dtype);
        if (scoped) scope(compare);
        else compare();
      }),
    );
  });

  it.each([
    [5, 100],
    [2, 300],
  ])(
    "is its composed twin over %d steps of %d rows, more than are gone back through at once",
    (time, batch) => {
      expectTwins(time, { time, batch, inputs: 2, hidden: 5, bias: true }, "float64");
      expectTwins(time, { time, batch, inputs: 2, hidden: 5, bias: true }, "float32");
    },
  );

  it.each([true, false])("has correct first and second derivatives, bias %s", (bias) => {
    const { tensors, leaves } = draw(7, { time: 3, batch: 2, inputs: 2, hidden: 3, bias }, "float64");
    expectCorrectGradients(() => fused(tensors), leaves);
    expectCorrectSecondDerivatives(() => fused(tensors), leaves);
  });

  it.each([true, false])(
    "has a Jacobian and a pullback that are adjoint, at a real size, bias %s",
    (bias) => {
      const { leaves } = draw(3, { time: 8, batch: 32, inputs: 3, hidden: 64, bias }, "float64");
      expectAdjoint(
        (...given) => fused(named(given)),
        leaves.map((leaf) => leaf.detach()),
      );
    },
  );

  it("gives the cotangents that are asked for, whichever they are", () => {
    const { tensors, leaves } = draw(5, { time: 3, batch: 2, inputs: 2, hidden: 20, bias: true }, "float32");
    const all = gradients(fused(tensors).sum(), leaves);
    leaves.forEach((leaf, i) => {
      const given = leaves.map((other) => (other === leaf ? leaf : other.detach()));
      const [alone] = gradients(fused(named(given)).sum(), [leaf]);
      expectSameBits(alone!, all[i]!, `leaf ${i} alone requires a gradient`);
      expectSameBits(gradients(fused(tensors).sum(), [leaf])[0]!, all[i]!, `leaf ${i} alone is asked for`);
    });
  });

  it("gives the same bits when its backward pass is run twice", () => {
    const { tensors, leaves } = draw(1, { time: 4, batch: 2, inputs: 2, hidden: 20, bias: true }, "float32");
    const loss = fused(tensors).square().sum();
    const first = gradients(loss, leaves, { retainGraph: true });
    gradients(loss, leaves).forEach((slope, i) => expectSameBits(slope!, first[i]!));
  });

  it("passes the cotangent through where z is 1, without NaN for huge inputs", () => {
    const one = (...values: number[]): Tensor =>
      tensor(
        values.map((value) => [value]),
        { requiresGrad: true },
      );
    const weightIh = one(1e30, 1e30, -1e30);
    const tensors = { x: tensor([[[1]]]), start: one(0.5), weightIh, weightHh: one(1e30, 1e30, -1e30) };
    const out = gruSequence({ ...tensors, biasIh: undefined, biasHh: undefined });
    out.backward(tensor([[[3]]]));
    expect(out.toArray()).toEqual([[[0.5]]]);
    expect(tensors.start.grad!.toArray()).toEqual([[3]]);
    expect(weightIh.grad!.abs().toArray()).toEqual([[0], [0], [0]]);
  });
});

describe("steps of which a backward pass reaches some", () => {
  const size = { time: 5, batch: 2, inputs: 3, hidden: 4, bias: true };

  /** The states after each step, from both forms; the hook is told of those of the fused one. */
  const states = (
    { x, start, ...weights }: SequenceTensors,
    hook?: (h: Tensor, t: number) => void,
  ): { fused: Tensor[]; composed: Tensor[] } => {
    const fused: Tensor[] = [];
    const composed: Tensor[] = [];
    const step = gruSteps(weights, x);
    for (let t = 0; t < size.time; t++) {
      fused.push(step(fused[t - 1] ?? start, t));
      hook?.(fused[t]!, t);
      composed.push(composedStep(weights, x.slice([t]), composed[t - 1] ?? start));
    }
    return { fused, composed };
  };

  /** Passes its input on, and throws on the way back. */
  const brittleOp = defineOp({
    name: "brittle",
    forward: ([x]) => x!.withShape(x!.shape),
    vjp: () => {
      throw new Error("broken off");
    },
  });
  const brittle = (x: Tensor): Tensor => brittleOp([x]);

  const close = (found: readonly (Tensor | undefined)[], wanted: readonly (Tensor | undefined)[]): void => {
    wanted.forEach((slope, i) => {
      expect(Math.max(...found[i]!.sub(slope!).abs().values()), `leaf ${i}`).toBeLessThanOrEqual(1e-12);
    });
  };

  it("count those alone, also after a pass over more of them, and after one that was broken off", () => {
    const { tensors, leaves } = draw(11, size, "float64");
    let aside: Tensor | undefined;
    const { fused, composed } = states(tensors, (h, t) => {
      if (t === 2) aside = brittle(h);
    });
    const wanted = gradients(composed[1]!.sum(), leaves, { retainGraph: true });
    const options = { retainGraph: true };
    close(gradients(fused[1]!.sum(), leaves, options), wanted);
    gradients(fused[4]!.sum(), leaves, options);
    close(gradients(fused[1]!.sum(), leaves, options), wanted);
    expect(() => gradients(fused[4]!.add(aside!).sum(), leaves, options)).toThrowError("broken off");
    close(gradients(fused[1]!.sum(), leaves, options), wanted);
    close(gradients(fused[1]!.sum(), leaves, { createGraph: true }), wanted);
  });

  it("may be the last ones, when the state was cut off before them, in used memory too", () => {
    const { tensors, leaves } = draw(12, { ...size, batch: 20 }, "float64");
    const cut = (h: Tensor, t: number): Tensor => (t === 1 ? h.detach() : h);
    const last = (form: Form): Tensor => form(tensors).slice([null, -1]).sum();
    const asked = leaves.filter((leaf) => leaf !== tensors.start);
    const compare = (): void => {
      const wanted = gradients(last(composedStepwise(cut)), asked);
      close(gradients(last(stepwise(cut)), asked), wanted);
      close(gradients(last(stepwise(cut)), asked, { createGraph: true }), wanted);
    };
    poisonArena(true);
    try {
      scope(compare);
      scope(compare);
    } finally {
      poisonArena(false);
    }
  });

  it("are not troubled by steps that overflowed later", () => {
    const { tensors, leaves } = draw(11, size, "float64");
    const values = tensors.x.values();
    values.fill(NaN, 3 * size.batch * size.inputs);
    const x = tensor(values, { shape: tensors.x.shape, requiresGrad: true });
    const given = { ...tensors, x };
    const all = [x, ...leaves.slice(1)];
    const { fused } = states(given);
    const { composed } = states(tensors);
    expect(fused[4]!.values()[0]).toBeNaN();
    const wanted = gradients(composed[2]!.sum(), leaves);
    close(gradients(fused[2]!.sum(), all, { retainGraph: true }), wanted);
    close(gradients(fused[2]!.sum(), all, { createGraph: true }), wanted);
  });

  it("refuse a backward pass after a weight was assigned to, also for what is asked of the state alone", () => {
    const { tensors } = draw(11, size, "float64");
    const { fused } = states(tensors);
    tensors.weightHh.assign(tensors.weightHh.detach().mul(2));
    expect(() => gradients(fused[4]!.sum(), [tensors.start])).toThrowError(/assigned/);
  });
});
