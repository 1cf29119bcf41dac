import { describe, expect, it } from "vitest";
import { randomNormal, type Tensor } from "../../../src/autograd/index.js";
import { MultiHeadAttention, TransformerBlock, type AttentionCore } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { expectCorrectGradients, normalLeaf } from "../gradient-law.js";
import { expectSameBits } from "../near.js";

const rng = generator("last position");

/** Attention whose every row depends on every query, as that of a kernel drawn from all points does. */
const joint: AttentionCore = (q, k, v) =>
  q
    .add(q.mean(2, { keepDims: true }))
    .mul(k)
    .add(v);
const cores: readonly [string, AttentionCore | undefined][] = [
  ["softmax attention", undefined],
  ["a replaced attention", joint],
];

describe.each(cores)("the last position with %s", (_, attention) => {
  it.each(["float32", "float64"] as const)("has the bits of the whole in %s", (dtype) => {
    for (const [batch, n, features, heads] of [
      [1, 1, 2, 1],
      [3, 7, 12, 3],
      [33, 64, 32, 4],
    ] as const) {
      const block = new TransformerBlock(features, { heads, feedForward: 5, rng, dtype, attention });
      const x = randomNormal(rng, [batch, n, features], { dtype });
      expectSameBits(block.forwardLast(x), block.forward(x).slice([null, [-1]]));
    }
  });

  it("has correct gradients", () => {
    const options = { heads: 2, feedForward: 3, rng, dtype: "float64", attention } as const;
    const block = new TransformerBlock(4, options);
    const x = normalLeaf("x", [2, 3, 4]);
    expectCorrectGradients(() => block.forwardLast(x), [x, ...block.parameters()]);
  });

  it("shows all heads whole", () => {
    const module = new MultiHeadAttention(4, 2, { rng, attention });
    const x = randomNormal(rng, [3, 5, 4]);
    const seen: Tensor[][] = [];
    module.onHeads = (...heads) => void seen.push(heads);
    const watched = module.forwardLast(x);
    module.forward(x);
    expect(seen).toHaveLength(2);
    seen[0]!.forEach((part, i) => expectSameBits(part, seen[1]![i]!));
    module.onHeads = undefined;
    expectSameBits(watched, module.forwardLast(x));
  });
});

it("refuses what the whole refuses", () => {
  const block = new TransformerBlock(4, { heads: 2, feedForward: 3, rng });
  for (const shape of [
    [2, 4],
    [2, 3, 5],
  ]) {
    expect(() => block.forwardLast(randomNormal(rng, shape))).toThrow(
      expect.objectContaining({ code: "E_SHAPE" }),
    );
  }
});
