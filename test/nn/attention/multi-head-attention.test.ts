import { describe, expect, it, vi } from "vitest";
import { randomNormal, tensor, zeros, type Tensor } from "../../../src/autograd/index.js";
import {
  attention,
  Dropout,
  LayerNorm,
  MultiHeadAttention,
  TransformerBlock,
} from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import type { Nested } from "../../../src/tensor/index.js";
import { expectCorrectGradients, normalLeaf } from "../gradient-law.js";
import { expectUniform } from "../initial-law.js";
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
    expectUniform(module.in_proj_weight, Math.sqrt(6 / (4 * 24)));
    expectUniform(module.out_proj.weight, 1 / Math.sqrt(24));
    expect(module.in_proj_bias!.values()).toEqual(new Float32Array(72));
    expect(module.out_proj.bias!.values()).toEqual(new Float32Array(24));
  });

  it.each([{}, { causal: true }])("has correct gradients, %o", (masks) => {
    const module = new MultiHeadAttention(4, 2, { rng, dtype });
    const x = normalLeaf("x", [2, 3, 4]);
    const key = normalLeaf("key", [2, 3, 4]);
    expectCorrectGradients(() => module.forward(x, { key, ...masks }), [x, key, ...module.parameters()]);
  });

  it("with dropout in training changes no bit when a padded key or value holds NaN", () => {
    const keyPaddingMask = tensor([
      [false, true, false],
      [false, false, true],
    ]);
    const [clean, dirty] = [0, NaN].map((value) => {
      const module = new MultiHeadAttention(4, 2, {
        rng: generator(3),
        dropout: { p: 0.4, rng: generator(1) },
      });
      const query = tensor(generator(2).normals(16), {
        shape: [2, 2, 4],
        dtype: "float32",
        requiresGrad: true,
      });
      const key = randomNormal(generator(5), [2, 3, 4]).where(
        keyPaddingMask.logicalNot().unsqueeze(2),
        value,
      );
      const out = module.forward(query, { key, keyPaddingMask });
      out.square().sum().backward();
      return [out.detach(), query.grad!];
    }) as [Tensor[], Tensor[]];
    clean.forEach((zero, i) => expectSameBits(dirty[i]!, zero));
    expect([...clean[0]!.values(), ...clean[1]!.values()].every(Number.isFinite)).toBe(true);
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
      expect(error / size, name).toBeLessThanOrEqual(2e-5);
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

  it("without biases has only those of the norms", () => {
    const module = new TransformerBlock(4, { heads: 2, feedForward: 3, rng, bias: false });
    const biases = module.namedParameters().filter(([name]) => name.includes("bias"));
    expect(biases.map(([name]) => name)).toEqual(["norm1.bias", "norm2.bias"]);
    expect(module.parameters()).toHaveLength(8);
  });

  it("has both norms with the eps that it is given", () => {
    const options = { heads: 2, feedForward: 3, rng, dtype } as const;
    const module = new TransformerBlock(4, { ...options, eps: 0.1 });
    const norm = new LayerNorm(4, { dtype, eps: 0.1 });
    const x = normalLeaf("x", [2, 3, 4]).detach();
    const attended = x.add(module.self_attn.forward(norm.forward(x)));
    const inner = module.linear1.forward(norm.forward(attended)).gelu();
    expectSameBits(module.forward(x), attended.add(module.linear2.forward(inner)));
  });

  describe("with dropout in one place alone", () => {
    const x = normalLeaf("x", [2, 3, 4]).detach();
    const module = new TransformerBlock(4, { heads: 2, feedForward: 3, rng, dtype, dropout: { p: 1, rng } });
    const all = new Dropout({ p: 1, rng });
    const feedForward = (value: Tensor): Tensor =>
      module.linear2.forward(module.linear1.forward(module.norm2.forward(value)).gelu());
    const attended = noDropout(() => x.add(module.self_attn.forward(module.norm1.forward(x))));

    /** Runs with the attention weights kept. */
    function noDropout<T>(run: () => T): T {
      module.self_attn.eval();
      const result = run();
      module.self_attn.train();
      return result;
    }

    it.each<[string, number, () => Tensor]>([
      ["the branch of the attention", 0, () => x.add(feedForward(x))],
      ["inside the feed-forward part", 1, () => attended.add(module.linear2.bias!)],
      ["the branch of the feed-forward part", 2, () => attended],
    ])("%s", (_, place, expected) => {
      const found: Tensor[] = [];
      const spy = vi.spyOn(module.dropout!, "forward").mockImplementation((value) => {
        found.push(value);
        return found.length - 1 === place ? all.forward(value) : value;
      });
      const out = noDropout(() => module.forward(x));
      spy.mockRestore();
      expectSameBits(out.detach(), expected().detach());
      expect(found.map(({ shape }) => shape[2])).toEqual([4, 3, 4]);
    });

    it("the attention weights", () => {
      const spy = vi.spyOn(module.dropout!, "forward").mockImplementation((value) => value);
      module.self_attn.out_proj.bias!.assign(tensor([1, 2, 3, 4], { dtype }));
      const out = module.forward(x);
      spy.mockRestore();
      const shifted = x.add(module.self_attn.out_proj.bias!);
      expectSameBits(out.detach(), shifted.add(feedForward(shifted)).detach());
    });
  });

  it("refuses an unknown activation", () => {
    const options = { heads: 2, feedForward: 3, rng, activation: "swish" as never };
    expect(() => new TransformerBlock(4, options)).toThrowError(/gelu or relu, got swish/);
  });
});
