import { describe, expect, it } from "vitest";
import { tensor, zeros } from "../../../src/autograd/index.js";
import { crossEntropy, huberLoss, l1Loss, mseLoss } from "../../../src/nn/index.js";
import { expectCorrectGradients, normalLeaf } from "../gradient-law.js";

const losses = { mseLoss, l1Loss, huberLoss };
const reductions = ["mean", "sum", "none"] as const;

describe.each(reductions)("reduction %s", (reduction) => {
  it.each(["mseLoss", "l1Loss", "huberLoss"] as const)("%s has correct gradients", (name) => {
    const prediction = normalLeaf("prediction", [3, 2]);
    const target = normalLeaf("target", [3, 2]);
    expectCorrectGradients(() => losses[name](prediction, target, { reduction }), [prediction, target]);
  });

  it("huberLoss has correct gradients on both sides of delta", () => {
    const prediction = tensor([-3, -0.2, 0.1, 2], { dtype: "float64", requiresGrad: true });
    const target = zeros([4], { dtype: "float64" });
    expectCorrectGradients(() => huberLoss(prediction, target, { reduction, delta: 0.5 }), [prediction]);
  });

  it.each([{}, { ignoreIndex: 2 }, { labelSmoothing: 0.2 }, { ignoreIndex: 2, labelSmoothing: 1 }])(
    "crossEntropy has correct gradients, %o",
    (options) => {
      const logits = normalLeaf("logits", [4, 3]);
      const targets = tensor([0, 2, 1, 2], { dtype: "int32" });
      expectCorrectGradients(() => crossEntropy(logits, targets, { ...options, reduction }), [logits]);
    },
  );
});

describe("crossEntropy", () => {
  it("of huge equal logits is ln 2, of hopeless ones finite", () => {
    const targets = tensor([1], { dtype: "int32" });
    const logits = tensor([[1e8, 1e8]], { requiresGrad: true });
    const loss = crossEntropy(logits, targets);
    expect(Math.abs(loss.item() - 0.6931472)).toBeLessThan(1e-7);
    loss.backward();
    expect(logits.grad!.toArray()).toEqual([[0.5, -0.5]]);
    expect(crossEntropy(tensor([[1e8, -1e8]]), targets).item()).toBe(2e8);
    expect(crossEntropy(tensor([[-Infinity, 3]]), targets).item()).toBe(0);
  });

  it.each([0, 0.1])(
    "gives ignored rows loss 0 and gradient 0, whatever their logits: smoothing %d",
    (smoothing) => {
      const logits = tensor(
        [
          [NaN, 1],
          [2, 2],
        ],
        { requiresGrad: true },
      );
      const loss = crossEntropy(logits, tensor([-100, 0], { dtype: "int32" }), { labelSmoothing: smoothing });
      loss.backward();
      expect(Math.abs(loss.item() - Math.LN2)).toBeLessThan(1e-7);
      const [ignored, counted] = logits.grad!.toArray() as [number[], number[]];
      expect(ignored.map(Math.abs)).toEqual([0, 0]);
      expect(Math.abs(counted[0]! + 0.5 - smoothing / 2)).toBeLessThan(1e-6);
    },
  );

  it("of ignored rows only has no mean: NaN, sum 0", () => {
    const targets = tensor([-100], { dtype: "int32" });
    expect(crossEntropy(tensor([[1, 2]]), targets).item()).toBeNaN();
    expect(crossEntropy(tensor([[1, 2]]), targets, { reduction: "sum" }).item()).toBe(0);
  });

  it.each([
    [
      "E_INDEX",
      () => crossEntropy(zeros([1, 2]), tensor([2], { dtype: "int32" })),
      /target 2 in row 0.*0 to 1/,
    ],
    ["E_DTYPE", () => crossEntropy(zeros([1, 2]), tensor([1])), /int32, got float32/],
    ["E_SHAPE", () => crossEntropy(zeros([2, 2]), tensor([1], { dtype: "int32" })), /\[2, 2\] and \[1\]/],
    ["E_SHAPE", () => crossEntropy(zeros([1, 2, 2]), tensor([1], { dtype: "int32" })), /reshape/],
    [
      "E_VALUE",
      () => crossEntropy(zeros([1, 2]), tensor([1], { dtype: "int32" }), { labelSmoothing: 2 }),
      /0 to 1/,
    ],
  ])("refuses what does not fit: %s", (code, run, message) => {
    expect(run).toThrowError(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });
});

describe("options", () => {
  it("refuse a broadcast, an unknown reduction and a delta of 0", () => {
    expect(() => mseLoss(zeros([3, 1]), zeros([3]))).toThrowError(
      expect.objectContaining({ code: "E_SHAPE", message: expect.stringMatching(/\[3, 1\] and \[3\]/) }),
    );
    expect(() => l1Loss(zeros([3]), zeros([3]), { reduction: "median" as never })).toThrowError(
      /mean, sum or none/,
    );
    expect(() => huberLoss(zeros([3]), zeros([3]), { delta: 0 })).toThrowError(
      expect.objectContaining({ code: "E_VALUE" }),
    );
  });
});
