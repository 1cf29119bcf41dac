import { describe, expect, it } from "vitest";
import { expectFlatMemory } from "../../src/testing/index.js";
import { ones, tensor, zeros, type Tensor } from "../../src/autograd/index.js";
import { Adam, GRU, LayerNorm, Linear, mseLoss } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { expectNear } from "./near.js";

describe("layernorm-large-mean", () => {
  const norm = new LayerNorm(16, { eps: 1e-5 });

  it("does not cancel for a mean far above the spread", () => {
    const x = tensor(Array.from({ length: 16 }, (_, i) => 1000 + i * 1e-3));
    expect(Math.abs(norm.forward(x).values()[0]! + 1.34151)).toBeLessThan(2e-5);
    const wide = new LayerNorm(4).forward(tensor([40000, 40001, 40002, 40003]));
    expectNear(wide, [-1.3416354, -0.4472118, 0.4472118, 1.3416354], 1e-6);
  });

  it("is exactly 0, with a finite gradient, for a constant row", () => {
    const x = tensor(new Float32Array(16).fill(1234), { requiresGrad: true });
    const out = norm.forward(x);
    expect([...out.values()].every((y) => y === 0)).toBe(true);
    out.square().sum().backward();
    expect([...x.grad!.values()].every((g) => g === 0)).toBe(true);
  });
});

describe("memory-growth", () => {
  it("55 Adam steps take x from 0 towards 5", () => {
    const x = zeros([1], { requiresGrad: true });
    const optimizer = new Adam([x], { lr: 0.1 });
    const losses: number[] = [];
    for (let step = 0; step < 55; step++) {
      optimizer.zeroGrad();
      const loss = x.sub(5).square().sum();
      losses.push(loss.item());
      loss.backward();
      optimizer.step();
    }
    expect(losses[54]).toBeLessThan(2);
    expect(losses.every((loss, i) => i === 0 || loss < losses[i - 1]!)).toBe(true);
  });

  it(
    "stays flat over 10,000 steps of a recurrent model, with a running total of the losses",
    { timeout: 120_000 },
    () => {
      const rng = generator("memory");
      const gru = new GRU(1, 8, { rng });
      const head = new Linear(8, 1, { rng });
      const optimizer = new Adam([...gru.parameters(), ...head.parameters()]);
      const x = ones([4, 3, 1]);
      const y = zeros([4, 1]);
      let total: Tensor = zeros([]);
      expectFlatMemory(
        () => {
          optimizer.zeroGrad();
          const loss = mseLoss(head.forward(gru.forward(x).hidden.slice([0])), y);
          loss.backward();
          optimizer.step();
          total = total.add(loss);
        },
        { steps: 10_200, slack: 2_000_000 },
      );
      expect(total.item()).toBeGreaterThan(0);
    },
  );
});
