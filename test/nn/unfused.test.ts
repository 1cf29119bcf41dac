import { expect, test } from "vitest";
import { randomNormal, tensor, type Tensor } from "../../src/autograd/index.js";
import { observe } from "../../src/autograd/observe.js";
import type { Module } from "../../src/nn/index.js";
import {
  crossEntropy,
  GRU,
  GRUCell,
  LayerNorm,
  Linear,
  mseLoss,
  MultiHeadAttention,
} from "../../src/nn/index.js";
import { currentTime } from "../../src/nn/recurrent/clock.js";
import { isUnfused, withUnfused } from "../../src/nn/unfused.js";
import { generator } from "../../src/random/index.js";

const dtype = "float64";
const rng = (name: string): ReturnType<typeof generator> => generator(11).stream(name);
const draw = (name: string, ...shape: number[]): Tensor => randomNormal(rng(name), shape, { dtype });
const options = { rng: rng("weights"), dtype } as const;

const gru = new GRU(3, 4, options);
const stepped = new GRU(3, 4, { ...options, onStep: (h) => h.mul(0.9) });
const cell = new GRUCell(3, 4, options);
const attention = new MultiHeadAttention(4, 2, options);
const norm = new LayerNorm(4, { dtype });
const linear = new Linear(4, 2, options);
const [series, states, targets] = [draw("series", 2, 3, 3), draw("states", 2, 3, 4), draw("targets", 6, 2)];
const flat = states.reshape([6, 4]);

/** Each in one fused operation: its name, the module, and what uses it. */
const fused: readonly [string, Module, () => Tensor][] = [
  ["gruSequence", gru, () => gru.forward(series).output],
  ["gruStep", stepped, () => stepped.forward(series).output],
  ["gruSequence", cell, () => cell.forward(series.slice([null, 0]))],
  ["headsAttention", attention, () => attention.forward(states, { causal: true })],
  ["layerNorm", norm, () => norm.forward(states)],
  ["affine", linear, () => linear.forward(flat)],
  ["squaredError", linear, () => mseLoss(linear.forward(flat), targets)],
  [
    "crossEntropy",
    linear,
    () => crossEntropy(linear.forward(flat), tensor([0, 1, 1, 0, 1, 0], { dtype: "int32" })),
  ],
];

/** Operations, value and gradients. */
function run(module: Module, f: () => Tensor): { names: string[]; numbers: number[] } {
  const names: string[] = [];
  module.zeroGrad();
  const out = observe(({ op }) => names.push(op.name), f);
  out.square().sum().backward();
  const grads = module.parameters().map((parameter) => [...parameter.grad!.values()]);
  return { names, numbers: [...out.values(), ...grads.flat()] };
}

test.each(fused)(
  "%s is composed of elementary operations: the same values and gradients",
  (name, module, f) => {
    const whole = run(module, f);
    const parts = withUnfused(true, () => run(module, f));
    expect(whole.names).toContain(name);
    expect(parts.names).not.toContain(name);
    expect(parts.numbers).toHaveLength(whole.numbers.length);
    whole.numbers.forEach((value, i) =>
      expect(Math.abs(parts.numbers[i]! - value)).toBeLessThan(1e-12 * Math.max(1, Math.abs(value))),
    );
  },
);

test("withUnfused ends with its function, also when that throws", () => {
  expect(isUnfused()).toBe(false);
  expect(() => withUnfused(true, () => expect.fail(String(isUnfused())))).toThrow("true");
  expect(isUnfused()).toBe(false);
});

test("a recurrent layer tells the time while it is in a step, and no longer when a step throws", () => {
  const times: (number | undefined)[] = [];
  const observed = new GRU(3, 4, {
    ...options,
    onStep: (h, time) => {
      times.push(currentTime());
      if (time === 2) throw new RangeError("enough");
      return h;
    },
  });
  expect(() => observed.forward(series)).toThrow("enough");
  expect(times).toEqual([0, 1, 2]);
  expect(currentTime()).toBeUndefined();
});
