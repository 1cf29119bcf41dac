import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ones, tensor, zeros, type Tensor } from "../../src/autograd/index.js";
import {
  Dropout,
  GRU,
  Linear,
  Module,
  MultiHeadAttention,
  Parameter,
  Sequential,
  TransformerBlock,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { expectSameBits } from "./near.js";

const rng = generator("module");

class Nest extends Module {
  readonly scale = new Parameter(tensor([2, 3]));
  readonly layers = [new Linear(2, 3, { rng }), [new Linear(3, 1, { rng, bias: false })]];
  readonly nothing = undefined;
  readonly name = "nest";
  readonly constant = tensor([1]);
  readonly drop = new Dropout({ p: 0.5, rng });
}

describe("names", () => {
  it("are paths of properties", () => {
    expect(new Nest().namedParameters().map(([name, { shape }]) => [name, shape])).toEqual([
      ["scale", [2]],
      ["layers.0.weight", [3, 2]],
      ["layers.0.bias", [3]],
      ["layers.1.0.weight", [1, 3]],
    ]);
  });

  it("of a Sequential are positions, functions counted", () => {
    const model = new Sequential([new Linear(2, 3, { rng }), (x) => x.relu(), new Linear(3, 1, { rng })]);
    expect(Object.keys(model.stateDict())).toEqual(["0.weight", "0.bias", "2.weight", "2.bias"]);
  });

  it("of the layers are PyTorch's, with its shapes", () => {
    const shapes = (module: Module): Record<string, readonly number[]> =>
      Object.fromEntries(module.namedParameters().map(([name, { shape }]) => [name, shape]));
    expect(shapes(new GRU(3, 4, { rng, numLayers: 2 }))).toEqual({
      weight_ih_l0: [12, 3],
      weight_hh_l0: [12, 4],
      bias_ih_l0: [12],
      bias_hh_l0: [12],
      weight_ih_l1: [12, 4],
      weight_hh_l1: [12, 4],
      bias_ih_l1: [12],
      bias_hh_l1: [12],
    });
    expect(shapes(new TransformerBlock(4, { heads: 2, feedForward: 5, rng }))).toEqual({
      "self_attn.in_proj_weight": [12, 4],
      "self_attn.in_proj_bias": [12],
      "self_attn.out_proj.weight": [4, 4],
      "self_attn.out_proj.bias": [4],
      "linear1.weight": [5, 4],
      "linear1.bias": [5],
      "linear2.weight": [4, 5],
      "linear2.bias": [4],
      "norm1.weight": [4],
      "norm1.bias": [4],
      "norm2.weight": [4],
      "norm2.bias": [4],
    });
  });

  it("of a shared parameter: one in the list, both in the state dict", () => {
    class Tied extends Module {
      readonly first = new Linear(2, 2, { rng, bias: false });
      readonly second = this.first;
      readonly self = this as Module;
    }
    const model = new Tied();
    expect(model.namedParameters().map(([name]) => name)).toEqual(["first.weight"]);
    expect(Object.keys(model.stateDict())).toEqual(["first.weight", "second.weight"]);
    expect(model.modules()).toEqual([model, model.first]);
  });
});

describe("a state dict", () => {
  it("restores every bit, and is not changed by what happens later", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.boolean(), (seed, bias) => {
        const make = (name: string): Linear => new Linear(3, 2, { rng: generator(`${name}${seed}`), bias });
        const [model, other] = [make("a"), make("b")];
        const saved = model.stateDict();
        const before = Object.fromEntries(
          Object.entries(saved).map(([name, value]) => [name, value.values()]),
        );
        other.loadStateDict(saved);
        for (const [name, parameter] of other.namedParameters())
          expectSameBits(parameter.detach(), saved[name]!);
        model.weight.assign(zeros([2, 3]));
        for (const [name, value] of Object.entries(saved)) expect(value.values()).toEqual(before[name]);
      }),
    );
  });

  it("that does not fit is listed in full, and nothing of it is loaded", () => {
    const model = new Linear(2, 3, { rng });
    const before = model.weight.values();
    const load =
      (state: Record<string, Tensor>): (() => void) =>
      () =>
        model.loadStateDict(state);
    expect(load({ weight: ones([3, 2]), extra: ones([1]), more: ones([1]) })).toThrowError(
      expect.objectContaining({
        code: "E_STATE_DICT",
        message: expect.stringMatching(/nothing was loaded; missing: bias; unexpected: extra, more/),
      }),
    );
    expect(load({ weight: ones([3, 2]), bias: ones([2]) })).toThrowError(
      /bias \(expected \[3\], got \[2\]\)/,
    );
    expect(load({ weight: ones([3, 2]), bias: ones([3], { dtype: "int32" }) })).toThrowError(/int32/);
    expect(load({ weight: ones([3, 2]), bias: [1, 2, 3] as unknown as Tensor })).toThrowError(
      /bias \(expected a tensor/,
    );
    expect(model.weight.values()).toEqual(before);
  });

  it("is cast to the type of the parameters", () => {
    const model = new Linear(2, 1, { rng, bias: false });
    model.loadStateDict({ weight: tensor([[0.1, 0.2]], { dtype: "float64" }) });
    expect(model.weight.dtype).toBe("float32");
    expect(model.weight.toArray()).toEqual([[Math.fround(0.1), Math.fround(0.2)]]);
  });

  it("loaded after a forward pass makes the recorded pass stale", () => {
    const model = new Linear(2, 1, { rng });
    const loss = model.forward(ones([1, 2])).sum();
    model.loadStateDict(model.stateDict());
    expect(() => loss.backward()).toThrowError(expect.objectContaining({ code: "E_STALE" }));
  });
});

describe("switches", () => {
  it("train and eval reach every module", () => {
    const model = new Nest();
    expect(model.modules()).toHaveLength(4);
    expect(model.namedModules().map(([name]) => name)).toEqual(["", "layers.0", "layers.1.0", "drop"]);
    expect(model.namedModules().map(([, module]) => module)).toEqual(model.modules());
    model.eval();
    expect(model.modules().map((module) => module.training)).toEqual([false, false, false, false]);
    model.train();
    expect(model.drop.training).toBe(true);
  });

  it("zeroGrad forgets every gradient", () => {
    const model = new Linear(2, 1, { rng });
    model
      .forward(ones([1, 2]))
      .sum()
      .backward();
    expect(model.parameters().every(({ grad }) => grad !== undefined)).toBe(true);
    model.zeroGrad();
    expect(model.parameters().every(({ grad }) => grad === undefined)).toBe(true);
  });

  it("to(float64) keeps the values, drops gradients and gives the numbers of a float64 layer", () => {
    const narrow = new Linear(2, 3, { rng: generator(5) });
    narrow
      .forward(ones([1, 2]))
      .sum()
      .backward();
    const before = narrow.weight.toArray();
    narrow.to("float64");
    expect(narrow.weight.dtype).toBe("float64");
    expect(narrow.weight.grad).toBeUndefined();
    expect(narrow.weight.toArray()).toEqual(before);
    const wide = new Linear(2, 3, { rng: generator(5), dtype: "float64" });
    const loss = narrow.forward(ones([1, 2], { dtype: "float64" })).sum();
    narrow.to("float64");
    expect(() => loss.backward()).toThrowError(expect.objectContaining({ code: "E_STALE" }));
    expectSameBits(wide.to("float32").weight.detach(), narrow.to("float32").weight.detach());
  });
});

describe("options that cannot be are refused by name", () => {
  it.each([
    ["no stream", () => new Linear(2, 3, {} as never), /Linear.*rng/],
    ["no options", () => new GRU(2, 3, undefined as never), /GRU.*rng/],
    ["a seed for a stream", () => new Linear(2, 3, { rng: 1 as never }), /rng, got number/],
    ["no size", () => new Linear(0, 3, { rng }), /inputs.*got 0/],
    ["a broken size", () => new GRU(2, 1.5, { rng }), /hidden.*1\.5/],
    [
      "an unknown reset",
      () => new GRU(2, 3, { rng, reset: "never" as never }),
      /"after" or "before", got never/,
    ],
    ["heads that do not divide", () => new MultiHeadAttention(5, 2, { rng }), /5 features.*2 heads/],
    ["a probability above 1", () => new Dropout({ p: 1.5, rng }), /p to be from 0 to 1, got 1\.5/],
  ])("%s", (_, make, message) => {
    expect(make).toThrowError(
      expect.objectContaining({ code: "E_VALUE", message: expect.stringMatching(message) }),
    );
  });
});
