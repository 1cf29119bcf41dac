import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradients, tensor, zeros, type Tensor } from "../../../src/autograd/index.js";
import { attention, type MaskOptions } from "../../../src/nn/index.js";
import { composedSoftmaxAttention } from "../../../src/nn/attention/composed-softmax-attention.js";
import { generator } from "../../../src/random/index.js";
import { expectAdjoint } from "../../../src/testing/index.js";
import { expectCorrectGradients, expectCorrectSecondDerivatives, normalLeaf } from "../gradient-law.js";
import { expectNear, expectSameBits } from "../near.js";
import { draw, shapes } from "./draw.js";

describe("attention", () => {
  it.each([true, false])("is its composed twin in float64, mask %s", (masked) => {
    fc.assert(
      fc.property(shapes, (of) => {
        const { q, k, v, mask } = draw(of, "float64");
        const attnMask = masked ? mask : undefined;
        const fused = attention(q, k, v, { attnMask });
        const composed = composedSoftmaxAttention(q, k, v, attnMask);
        expectNear(fused, composed, 1e-14);
        const cotangents = [tensor(generator(of.seed).normals(fused.size), { shape: fused.shape })];
        const found = gradients(fused, [q, k, v], { cotangents });
        const wanted = gradients(composed, [q, k, v], { cotangents });
        found.forEach((gradient, i) => expectNear(gradient!, wanted[i]!, 1e-13));
      }),
    );
  });

  it.each<[string, MaskOptions]>([
    ["no mask", {}],
    ["causal", { causal: true }],
    [
      "a mask with a blind row",
      {
        attnMask: tensor([
          [true, true, true],
          [false, true, false],
          [false, false, false],
        ]),
      },
    ],
    ["padding", { keyPaddingMask: tensor([[false, true, false]]) }],
  ])("has correct first and second derivatives: %s", (_, masks) => {
    const q = normalLeaf("q", [1, 2, 3, 2]);
    const k = normalLeaf("k", [1, 2, 3, 2]);
    const v = normalLeaf("v", [1, 2, 3, 3]);
    expectCorrectGradients(() => attention(q, k, v, masks), [q, k, v]);
    expectCorrectSecondDerivatives(() => attention(q, k, v, masks), [q, k, v]);
    const weigh = (weights: Tensor): Tensor => weights.mul(weights.add(0.5));
    expectCorrectGradients(() => attention(q, k, v, { ...masks, weigh }), [q, k, v]);
    expectCorrectSecondDerivatives(() => attention(q, k, v, { ...masks, weigh }), [q, k, v]);
  });

  it.each<[string, MaskOptions]>([
    ["no mask", {}],
    ["causal", { causal: true }],
    [
      "padding",
      {
        keyPaddingMask: tensor(
          Uint8Array.from({ length: 2 * 24 }, (_, i) => (i % 5 === 0 ? 1 : 0)),
          { shape: [2, 24] },
        ),
      },
    ],
  ])("has a Jacobian and a pullback that are adjoint, at a real size: %s", (_, masks) => {
    const inputs = ["q", "k", "v"].map((name) => normalLeaf(name, [2, 4, 24, 8]).detach());
    expectAdjoint((q, k, v) => attention(q!, k!, v!, masks), inputs);
  });

  it("joins all masks: hidden by one is hidden", () => {
    const { q, k, v } = draw({ seed: 1, batch: 2, heads: 1, queries: 3, keys: 3, d: 2, width: 2 }, "float32");
    const attnMask = tensor([
      [false, false, false],
      [true, false, false],
      [false, false, false],
    ]);
    const keyPaddingMask = tensor([
      [false, false, false],
      [false, true, false],
    ]);
    const joint = tensor([
      [
        [
          [false, true, true],
          [true, false, true],
          [false, false, false],
        ],
      ],
      [
        [
          [false, true, true],
          [true, true, true],
          [false, true, false],
        ],
      ],
    ]);
    expectSameBits(
      attention(q, k, v, { attnMask, keyPaddingMask, causal: true }),
      attention(q, k, v, { attnMask: joint }),
    );
  });

  it.each([
    ["E_SHAPE", () => attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 4]), zeros([1, 1, 2, 3]))],
    ["E_SHAPE", () => attention(zeros([1, 2, 3]), zeros([1, 2, 3]), zeros([1, 2, 3]))],
    [
      "E_DTYPE",
      () => attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3], { dtype: "float64" })),
    ],
    [
      "E_DTYPE",
      () =>
        attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), { attnMask: zeros([2, 2]) }),
    ],
    [
      "E_SHAPE",
      () =>
        attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), {
          attnMask: zeros([3, 2], { dtype: "bool" }),
        }),
    ],
    [
      "E_SHAPE",
      () =>
        attention(zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), zeros([1, 1, 2, 3]), {
          keyPaddingMask: zeros([2], { dtype: "bool" }),
        }),
    ],
  ])("refuses what does not fit: %s", (code, run) => {
    expect(run).toThrowError(expect.objectContaining({ code }));
  });
});
