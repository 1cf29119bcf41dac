import { describe, expect, it } from "vitest";
import { gradcheck, zeros, type Tensor } from "../../../src/autograd/index.js";
import { largestRank } from "../../../src/ideas/moment-rank2/evidence/state-figures.js";
import {
  forms,
  PowerCounter,
  PowerMomentTruncation,
  TruncationCounter,
  truncateRank,
} from "../../../src/ideas/moment-rank2/index.js";
import { vjp } from "../../../src/autograd/index.js";
import { distance, normal } from "./random-matrices.js";
import { withGaps } from "./some-tensors.js";

const shape = [8, 8];
const layerOf = (options: object = {}): PowerMomentTruncation =>
  new PowerMomentTruncation({ shape, ...options });
const mean = (x: Tensor, k: number): Tensor => x.pow(k).mean(-1);

describe("PowerMomentTruncation", () => {
  it.each(forms)("keeps the first two means of every state, and a rank of r + 1: form %s", (form) => {
    const h = normal(1, "h", [20, 64]).tanh().add(0.2);
    const c = layerOf({ form }).forward(h);
    for (const k of [1, 2]) expect(distance(mean(c, k), mean(h, k))).toBeLessThan(1e-14);
    expect(largestRank(c.reshape([20, 8, 8]))).toBe(3);
    const plain = truncateRank(h.reshape([20, 8, 8]), { rank: 2 }).reshape([20, 64]);
    expect(distance(mean(plain, 2), mean(h, 2))).toBeGreaterThan(0.01);
  });

  it("keeps what is the mean and of rank r in form B, and what is of rank r in form A", () => {
    const low = truncateRank(normal(2, "h", [3, 8, 8]), { rank: 2 }).reshape([3, 64]);
    expect(distance(layerOf({ form: "A" }).forward(low), low)).toBeLessThan(1e-13);
    const matrices = truncateRank(normal(2, "h", [3, 8, 8]), { rank: 3 });
    const level = matrices
      .sub(matrices.mean(-1, { keepDims: true }))
      .add(0.3)
      .reshape([3, 64]);
    expect(largestRank(level.reshape([3, 8, 8]))).toBe(4);
    expect(distance(layerOf({ form: "B", rank: 3 }).forward(level), level)).toBeLessThan(1e-13);
    expect(distance(layerOf({ form: "A" }).forward(level), level)).toBeGreaterThan(1e-3);
  });

  it.each(forms)(
    "has the gradient of differences, with any number of means, on tensors too: form %s",
    (form) => {
      const given = { shape: [3, 2, 4], rank: 2, transferRank: 2 };
      const h = withGaps(3, given).reshape([1, 24]);
      const centred = form === "B" ? h.sub(h.mean(-1, { keepDims: true })) : h;
      for (const powers of [1, 2, 3]) {
        const layer = layerOf({ ...given, form, powers, bound: Infinity });
        expect(gradcheck((x) => layer.forward(x), [centred], { tolerance: 1e-7 }).passed).toBe(true);
      }
    },
  );

  it("counts what is clipped and what falls back", () => {
    const [counter, powerCounter] = [new TruncationCounter(), new PowerCounter()];
    const layer = layerOf({ powers: 4, fallback: "fewer", bound: 1, counter, powerCounter });
    const h = normal(1, "h", [50, 64]).mul(3).tanh();
    const { pullback } = vjp((x: Tensor) => layer.forward(x), h);
    pullback(h);
    expect(counter).toMatchObject({ matrices: 50, clippedMatrices: 50 });
    expect(powerCounter.rows).toBe(50);
    expect(powerCounter.rate).toBeGreaterThan(0.5);
    expect(() => layerOf({ powers: 4 }).forward(h)).toThrow(/E_NUMERIC/);
  });

  it("refuses other widths and settings", () => {
    expect(() => layerOf().forward(zeros([2, 63]))).toThrow(/E_SHAPE.*64/);
    expect(() => layerOf({ rank: 0 })).toThrow(/E_VALUE.*rank/);
    expect(() => layerOf({ powers: 5 }).forward(zeros([2, 64]))).toThrow(/E_VALUE.*1 to 4/);
  });
});
