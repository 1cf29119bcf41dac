import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  concat,
  flip,
  mul,
  randomIntegers,
  randomNormal,
  tensor,
  zerosLike,
  type Tensor,
} from "../../../src/autograd/index.js";
import { models } from "../../../src/bench/models/index.js";
import type { BenchModel, ModelShape } from "../../../src/bench/models/model.js";
import type { ModelChange } from "../../../src/ideas/index.js";
import { attention, Linear } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { runs } from "../../runs.js";

const shape: ModelShape = { input: { kind: "series", steps: 6, features: 2 }, outputs: 3 };
const series = (batch: number, seed = 0): Tensor => randomNormal(generator(seed), [batch, 6, 2]);
const build = (name: string, change: ModelChange = {}, seed = 0) =>
  models.get(name)!.build(shape, generator(seed).stream("init"), change);
const tokens: ModelShape = { input: { kind: "tokens", steps: 6, features: 2, vocabulary: 9 }, outputs: 3 };
const identity: Record<string, ModelChange> = {
  rnn_small: { hidden: (hidden) => hidden },
  transformer_tiny: { attention: (q, k, v) => attention(q, k, v) },
};
const names = [...models.keys()];

describe.each(names)("%s", (name) => {
  test("gives one row of outputs a series, and each row depends on its own series only", () => {
    const model = build(name);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.nat(), (batch, seed) => {
        const x = series(batch, seed);
        const y = model.forward(x);
        expect(y.shape).toEqual([batch, 3]);
        const first = model.forward(x.slice([[0, 1]])).values();
        expect(y.values().slice(0, 3)).toEqual(first);
      }),
      { numRuns: runs(10) },
    );
  });

  test("begins with the same parameters whatever the change, and with others for another seed", () => {
    const state = (change: ModelChange, seed: number) =>
      Object.entries(build(name, change, seed).module.stateDict()).map(([key, value]) => [
        key,
        value.toArray(),
      ]);
    expect(state(identity[name], 4)).toEqual(state({}, 4));
    expect(state({}, 5)).not.toEqual(state({}, 4));
  });

  test("a change that changes nothing changes no bit", () => {
    expect(build(name, identity[name]).forward(series(4)).values()).toEqual(
      build(name).forward(series(4)).values(),
    );
  });

  test("every parameter has a gradient", () => {
    const model = build(name);
    model.forward(series(3)).square().sum().backward();
    for (const [key, parameter] of model.module.namedParameters()) {
      expect(parameter.grad, key).toBeDefined();
      expect(parameter.grad!.values().some((g) => g !== 0) || key.endsWith("in_proj_bias"), key).toBe(true);
    }
  });

  test("reads tokens: a position is the sum of its tokens' vectors, so their order in it does not matter", () => {
    const model = models.get(name)!.build(tokens, generator(0).stream("init"), {});
    const x = randomIntegers(generator(1), [4, 6, 2], 0, 9);
    const y = model.forward(x);
    expect(y.shape).toEqual([4, 3]);
    expect(model.forward(flip(x, [2])).values()).toEqual(y.values());
    const other = model.forward(flip(x, [1])).values();
    expect(other.some((value, i) => Math.abs(value - y.values()[i]!) > 1e-4)).toBe(true);
    y.square().sum().backward();
    const table = model.module.namedParameters().find(([key]) => key === "embed.weight")![1];
    expect(table.shape[0]).toBe(9);
    const used = new Set<number>(x.values());
    const norms = table.grad!.square().sum(1).values();
    norms.forEach((norm, token) => expect(norm > 0, `token ${token}`).toBe(used.has(token)));
  });

  test("refuses a change that it has no place for", () => {
    const other = names.find((candidate) => candidate !== name)!;
    expect(() => build(name, identity[other])).toThrow(/E_IDEA: the change changes the .* has no such place/);
  });

  test("trains, counts, names and loads what a change learns, and keeps its own parameters", () => {
    const change = (): ModelChange => ({
      ...identity[name],
      modules: { extra: new Linear(2, 3, { rng: generator(9) }) },
    });
    const [plain, changed] = [build(name), build(name, change())];
    const names = ({ module }: BenchModel): string[] => module.namedParameters().map(([key]) => key);
    expect(names(changed)).toEqual([...names(plain), "change.extra.weight", "change.extra.bias"]);
    const state = changed.module.stateDict();
    for (const [key, value] of Object.entries(plain.module.stateDict())) {
      expect(state[key].values(), key).toEqual(value.values());
    }
    const moved = { ...state, "change.extra.bias": tensor([1, 2, 3]) };
    const other = build(name, change());
    other.module.loadStateDict(moved);
    expect(other.module.stateDict()["change.extra.bias"].toArray()).toEqual([1, 2, 3]);
  });

  test("observing records no gradient and changes nothing", () => {
    const model = build(name);
    const before = model.forward(series(2)).values();
    const { hiddenStates, attentionInputs } = model.observe(series(2, 9));
    expect(model.forward(series(2)).values()).toEqual(before);
    const seen = [...hiddenStates(), ...attentionInputs().flatMap(({ q, k, v }) => [q, k, v])];
    expect(seen.length).toBe(6);
    expect(seen.every((value) => !value.requiresGrad)).toBe(true);
  });
});

test("rnn_small: a change may set the number of hidden units, a whole number of at least 1", () => {
  const model = build("rnn_small", { width: 36 });
  const sizes = Object.fromEntries(
    model.module.namedParameters().map(([key, { shape: size }]) => [key, size]),
  );
  expect(sizes["gru.weight_hh_l0"]).toEqual([108, 36]);
  expect(sizes["head.weight"]).toEqual([3, 36]);
  expect(model.observe(series(2)).hiddenStates()[0].shape).toEqual([2, 36]);
  for (const width of [0, 1.5, -1, NaN]) {
    expect(() => build("rnn_small", { width })).toThrow(
      /E_IDEA: the change asks for a width of .* at least 1/,
    );
  }
  expect(() => build("transformer_tiny", { width: 36 })).toThrow(/E_IDEA: the change changes the width/);
});

test("rnn_small: a GRU of 64 units, named as PyTorch names it", () => {
  const { module } = build("rnn_small");
  expect(module.namedParameters().map(([name, { shape: size }]) => [name, size])).toEqual([
    ["gru.weight_ih_l0", [192, 2]],
    ["gru.weight_hh_l0", [192, 64]],
    ["gru.bias_ih_l0", [192]],
    ["gru.bias_hh_l0", [192]],
    ["head.weight", [3, 64]],
    ["head.bias", [3]],
  ]);
});

test("rnn_small: the change is applied after every step; its raw input is what is observed", () => {
  let calls = 0;
  const model = build("rnn_small", {
    hidden: (hidden) => {
      calls += 1;
      return mul(hidden, 0);
    },
  });
  const states = model.observe(series(4)).hiddenStates();
  expect(calls).toBe(6);
  expect(states.map((state) => state.shape)).toEqual(new Array(6).fill([4, 64]));
  expect(states.every((state) => state.values().some((value) => value !== 0))).toBe(true);
  const bias = model.module.stateDict()["head.bias"].values();
  expect(model.forward(series(4)).slice([0]).values()).toEqual(bias);
});

test("transformer_tiny: 2 layers of 4 heads, 32 wide, feed-forward 64", () => {
  const sizes = Object.fromEntries(
    build("transformer_tiny")
      .module.namedParameters()
      .map(([name, { shape: size }]) => [name, size]),
  );
  expect(sizes).toMatchObject({
    "embed.weight": [32, 2],
    "positions.weight": [6, 32],
    "layers.0.self_attn.in_proj_weight": [96, 32],
    "layers.1.linear1.weight": [64, 32],
    "layers.1.linear2.weight": [32, 64],
    "norm.weight": [32],
    "head.weight": [3, 32],
  });
  expect(Object.keys(sizes).filter((name) => name.startsWith("layers.2"))).toEqual([]);
});

test("transformer_tiny: the change replaces the attention of both layers, and sees which one it is", () => {
  const sites: number[] = [];
  const model = build("transformer_tiny", {
    attention: (_q, _k, v, { layer }) => {
      sites.push(layer);
      return v;
    },
  });
  const inputs = model.observe(series(5)).attentionInputs();
  expect(sites).toEqual([0, 1]);
  expect(inputs.map(({ layer, q, k, v }) => [layer, q.shape, k.shape, v.shape])).toEqual(
    [0, 1].map((layer) => [layer, [5, 4, 6, 8], [5, 4, 6, 8], [5, 4, 6, 8]]),
  );
});

test("transformer_tiny: the order of the earlier readings matters through the positions alone", () => {
  const x = series(1);
  const swapped = concat([x.slice([null, [1, 2]]), x.slice([null, [0, 1]]), x.slice([null, [2]])], 1);
  const effect = (model: BenchModel): number => {
    const [before, after] = [model.forward(x).values(), model.forward(swapped).values()];
    return Math.max(...before.map((value, i) => Math.abs(value - after[i])));
  };
  const model = build("transformer_tiny");
  const whole = effect(model);
  const positions = model.module.namedParameters().find(([name]) => name === "positions.weight")![1];
  positions.assign(zerosLike(positions));
  expect(whole).toBeGreaterThan(1e-5);
  expect(effect(model)).toBeLessThan(whole / 20);
});
