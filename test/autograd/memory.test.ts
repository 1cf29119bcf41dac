import { describe, expect, test } from "vitest";
import { tensor, zeros, type Tensor } from "../../src/autograd/index.js";
import { expectFlatMemory } from "../../src/testing/index.js";

describe("memory", () => {
  test("stays flat over 10,000 passes with a running total of the losses", () => {
    const x = zeros([50], { requiresGrad: true });
    let total: Tensor = tensor(0);
    expectFlatMemory(
      () => {
        const loss = x.sub(1).square().sum();
        loss.backward();
        total = total.add(loss);
        x.grad = undefined;
      },
      { steps: 10_000 },
    );
    expect(total.item()).toBe(500_000);
  });

  test("does not hold on to a graph that nobody asks for any more", () => {
    const x = zeros([1000], { requiresGrad: true });
    expectFlatMemory(
      () => {
        x.exp().log1p().sum();
      },
      { steps: 2000 },
    );
  });
});
