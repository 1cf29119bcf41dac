import { describe, expect, it } from "vitest";
import { randomNormal, tensor, zeros, type Tensor } from "../../../src/autograd/index.js";
import { attention, MultiHeadAttention, TransformerBlock } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import type { Nested } from "../../../src/tensor/index.js";
import { expectCorrectGradients, normalLeaf } from "../gradient-law.js";
import { expectNear, expectSameBits } from "../near.js";
import { constant, expectGradients, leaf, values, withState } from "../oracle/values.js";

const rng = generator("attention");
const dtype = "float64";
const maskOf = (mask: Nested | null): Tensor | undefined => (mask === null ? undefined : tensor(mask));

describe("against PyTorch", () => {
  it.each(values.attention.map((given, i) => [i, given] as const))("MultiheadAttention %i", (_, given) => {
    const module = withState(new MultiHeadAttention(6, 2, { rng, dtype, bias: given.bias }), given.state);
    const query = leaf(given.query);
    const others = given.key && given.value ? { key: leaf(given.key), value: leaf(given.value) } : {};
    const output = module.forward(query, {
      ...others,
      attnMask: maskOf(given.attnMask),
      keyPaddingMask: maskOf(given.keyPaddingMask),
    });
    expectNear(output, given.output, 1e-12, "output");
    output.backward(constant(given.cotangent));
    expectGradients({ query, ...others }, module, given.gradients);
  });

  it.each(values.block.map((given, i) => [i, given] as const))("TransformerEncoderLayer %i", (_, given) => {
    const options = { heads: 2, feedForward: 5, activation: given.activation, rng, dtype } as const;
    const module = withState(new TransformerBlock(6, options), given.state);
    const x = leaf(given.x);
    const output = module.forward(x, { attnMask: maskOf(given.mask) });
    expectNear(output, given.output, 1e-12, "output");
    output.backward(constant(given.cotangent));
    expectGradients({ x }, module, given.gradients);
  });
});

describe("MultiHeadAttention", () => {
  it("gives the bias of out_proj where a query sees nothing", () => {
    const module = new MultiHeadAttention(4, 2, { rng });
    module.out_proj.bias!.assign(tensor([1, 2, 3, 4]));
    const x = randomNormal(rng, [1, 2, 4]);
    const out = module.forward(x, {
      attnMask: tensor([
        [true, true],
        [false, false],
      ]),
    });
    expect((out.toArray() as number[][][])[0]![0]).toEqual([1, 2, 3, 4]);
  });

  it("causal is the mask of the upper triangle", () => {
    const module = new MultiHeadAttention(4, 2, { rng });
    const x = randomNormal(rng, [2, 3, 4]);
    const attnMask = tensor([
      [false, true, true],
      [false, false, true],
      [false, false, false],
    ]);
    expectSameBits(module.forward(x, { causal: true }), module.forward(x, { attnMask }));
  });

  it("gives q, k and v by head to a replaced attention", () => {
    const seen: (readonly number[])[] = [];
    const core = (q: Tensor, k: Tensor, v: Tensor): Tensor => {
      seen.push(q.shape, k.shape, v.shape);
      return attention(q, k, v);
    };
    const replaced = new MultiHeadAttention(6, 3, { rng: generator(2), attention: core });
    const plain = new MultiHeadAttention(6, 3, { rng: generator(2) });
    const x = randomNormal(rng, [2, 4, 6]);
    expectSameBits(replaced.forward(x), plain.forward(x));
    expect(seen).toEqual([
      [2, 3, 4, 2],
      [2, 3, 4, 2],
      [2, 3, 4, 2],
    ]);
    expect(() => replaced.forward(x, { causal: true })).toThrowError(
      expect.objectContaining({ code: "E_VALUE", message: expect.stringMatching(/masks/) }),
    );
    const bad = new MultiHeadAttention(6, 3, { rng, attention: (q) => q.sum(0) });
    expect(() => bad.forward(x)).toThrowError(/replaced attention/);
  });

  it("takes the key for the value when only a key is given", () => {
    const module = new MultiHeadAttention(4, 2, { rng });
    const [x, key] = [randomNormal(rng, [1, 3, 4]), randomNormal(rng, [1, 3, 4])] as const;
    expectSameBits(module.forward(x, { key }), module.forward(x, { key, value: key }));
  });

  it("starts from PyTorch's distributions", () => {
    const module = new MultiHeadAttention(24, 4, { rng });
    const largest = (x: Tensor): number => Math.max(...x.abs().values());
    expect(largest(module.in_proj_weight)).toBeLessThanOrEqual(0.25);
    expect(largest(module.in_proj_weight)).toBeGreaterThan(0.24);
    expect(largest(module.out_proj.weight)).toBeLessThanOrEqual(1 / Math.sqrt(24));
    expect(largest(module.out_proj.weight)).toBeGreaterThan(0.95 / Math.sqrt(24));
    expect(largest(module.in_proj_bias!)).toBe(0);
    expect(largest(module.out_proj.bias!)).toBe(0);
  });

  it.each([{}, { causal: true }])("has correct gradients, %o", (masks) => {
    const module = new MultiHeadAttention(4, 2, { rng, dtype });
    const x = normalLeaf("x", [2, 3, 4]);
    const key = normalLeaf("key", [2, 3, 4]);
    expectCorrectGradients(() => module.forward(x, { key, ...masks }), [x, key, ...module.parameters()]);
  });

  it("drops attention weights in training only", () => {
    const module = new MultiHeadAttention(4, 2, { rng, dropout: { p: 0.5, rng: generator(1) } });
    const plain = new MultiHeadAttention(4, 2, { rng }).loadStateDict(module.stateDict());
    const x = randomNormal(rng, [1, 3, 4]);
    expect(module.forward(x).values()).not.toEqual(plain.forward(x).values());
    expectSameBits(module.eval().forward(x), plain.forward(x));
  });

  it.each([
    [[2, 3], undefined],
    [[2, 3, 5], undefined],
    [
      [2, 3, 4],
      [1, 3, 4],
    ],
  ])("refuses query %j with key %j", (query, key) => {
    const module = new MultiHeadAttention(4, 2, { rng });
    expect(() => module.forward(zeros(query), key ? { key: zeros(key) } : {})).toThrowError(
      expect.objectContaining({ code: "E_SHAPE" }),
    );
  });
});

describe("TransformerBlock", () => {
  it.each(["gelu", "relu"] as const)("has correct gradients with %s", (activation) => {
    const module = new TransformerBlock(4, { heads: 2, feedForward: 3, activation, rng, dtype });
    const x = normalLeaf("x", [1, 3, 4]);
    expectCorrectGradients(() => module.forward(x, { causal: true }), [x, ...module.parameters()]);
  });

  it("in float32 keeps the gradient of float64 to 2e-5 of its largest entry", () => {
    const options = { heads: 4, feedForward: 64, rng: generator(8) };
    const narrow = new TransformerBlock(32, options);
    const wide = new TransformerBlock(32, { ...options, dtype }).loadStateDict(narrow.stateDict());
    const x = normalLeaf("x", [2, 16, 32]);
    wide.forward(x.detach().cast("float32").cast("float64")).square().sum().backward();
    narrow.forward(x.detach().cast("float32")).square().sum().backward();
    const found = Object.fromEntries(narrow.namedParameters());
    for (const [name, parameter] of wide.namedParameters()) {
      const size = Math.max(...parameter.grad!.abs().values());
      const error = Math.max(...found[name]!.grad!.cast("float64").sub(parameter.grad!).abs().values());
      if (name !== "self_attn.in_proj_bias") expect(error / size, name).toBeLessThanOrEqual(2e-5);
    }
  });

  it("with dropout is the plain block in evaluation, and another value in training", () => {
    const plain = new TransformerBlock(4, { heads: 2, feedForward: 3, rng });
    const dropout = { p: 0.3, rng: generator(1) };
    const module = new TransformerBlock(4, { heads: 2, feedForward: 3, rng, dropout });
    module.loadStateDict(plain.stateDict());
    const x = randomNormal(rng, [2, 3, 4]);
    expect(module.forward(x).values()).not.toEqual(plain.forward(x).values());
    expectSameBits(module.eval().forward(x), plain.forward(x));
  });

  it("refuses an unknown activation", () => {
    const options = { heads: 2, feedForward: 3, rng, activation: "swish" as never };
    expect(() => new TransformerBlock(4, options)).toThrowError(/gelu or relu, got swish/);
  });
});
