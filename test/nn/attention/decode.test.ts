import { describe, expect, it } from "vitest";
import { randomNormal, type Tensor } from "../../../src/autograd/index.js";
import {
  attention,
  KeyValueCache,
  MultiHeadAttention,
  PositionEmbedding,
  TransformerBlock,
} from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { kernels, useKernels } from "../../../src/tensor/index.js";
import { expectSameBits } from "../near.js";

const rng = generator("decode");
const token = (x: Tensor, at: number): Tensor => x.slice([null, [at, at + 1]]);

describe("a token at a time", () => {
  for (const set of ["simd", "reference"] as const) {
    it.each([
      ["float32", 70, [2, 8]],
      ["float32", 300, [1, 4]],
      ["float64", 40, [2, 3]],
    ] as const)(
      `${set}: keys and values kept give the bits of causal attention (%s, %i tokens)`,
      (dtype, n, [heads, d]) => {
        const before = kernels().name;
        useKernels(set);
        const [q, k, v] = ["q", "k", "v"].map(() =>
          randomNormal(rng, [2, heads, n, d], { dtype, std: 2 }),
        ) as [Tensor, Tensor, Tensor];
        const whole = attention(q, k, v, { causal: true });
        const cache = new KeyValueCache();
        for (let at = 0; at < n; at++) {
          const row = (x: Tensor): Tensor => x.slice([null, null, [at, at + 1]]);
          expectSameBits(cache.step(row(q), row(k), row(v)), row(whole));
        }
        expect(cache.tokens).toBe(n);
        expect(cache.bytes).toBe(2 * 2 * heads * n * d * (dtype === "float32" ? 4 : 8));
        useKernels(before);
      },
    );
  }

  it("blocks and positions too", () => {
    const block = new TransformerBlock(8, { heads: 2, feedForward: 5, rng, dropout: { p: 0.5, rng } });
    const positions = new PositionEmbedding(40, 8, { rng });
    const x = randomNormal(rng, [3, 33, 8]);
    block.eval();
    const whole = block.forward(positions.forward(x), { causal: true });
    block.train();
    const decoder = block.self_attn.decoder();
    for (let at = 0; at < 33; at++) {
      const out = block.step(positions.forward(token(x, at), at), decoder);
      expectSameBits(out, token(whole, at));
      expect(out.requiresGrad).toBe(false);
    }
  });

  it("refuses another batch, more than one token, and attention that has no decoder", () => {
    const x = randomNormal(rng, [2, 2, 1, 3]);
    const cache = new KeyValueCache();
    cache.step(x, x, x);
    const other = randomNormal(rng, [1, 2, 1, 3]);
    expect(() => cache.step(other, other, other)).toThrow(/E_SHAPE.*new cache/s);
    const two = randomNormal(rng, [2, 2, 2, 3]);
    expect(() => cache.step(two, two, two)).toThrow(/E_SHAPE.*one token/s);
    const double = x.cast("float64");
    expect(() => cache.step(x, double, x)).toThrow(/E_DTYPE/);
    expect(() => new MultiHeadAttention(4, 2, { rng, attention: (q) => q }).decoder()).toThrow(
      /E_VALUE.*attentionDecoder/s,
    );
    const module = new MultiHeadAttention(4, 2, { rng });
    expect(() => module.step(randomNormal(rng, [2, 3, 4]), module.decoder())).toThrow(/E_SHAPE/);
    expect(() => new PositionEmbedding(4, 2, { rng }).forward(randomNormal(rng, [2, 2]), 3)).toThrow(
      /E_SHAPE.*from 3/s,
    );
  });
});
