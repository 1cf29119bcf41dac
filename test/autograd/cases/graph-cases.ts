import { expect } from "vitest";
import { exp, tensor, zeros, type Tensor } from "../../../src/autograd/index.js";
import { expectFlatMemory } from "../../../src/testing/index.js";
import { expectClose, leaf } from "./close.js";

export const graphCases: Readonly<Record<string, () => void>> = {
  "tensor-used-twice": () => {
    const a = leaf(1);
    const b = a.add(a);
    b.add(b).backward();
    expect(a.grad!.item()).toBe(4);
    const x = leaf(1);
    const one = leaf(1);
    x.mul(x.mul(one)).mul(2).add(x.mul(x).mul(one)).backward();
    expect(x.grad!.item()).toBe(6);
  },

  "deep-graph": () => {
    const x = leaf(1);
    let y: Tensor = x;
    for (let i = 0; i < 100_000; i++) y = y.add(1);
    y.backward();
    expect(x.grad!.item()).toBe(1);
  },

  "in-place-after-save": () => {
    const x = leaf([0]);
    const y = exp(x);
    y.values().fill(2);
    (y.toArray() as number[])[0] = 2;
    y.backward([1]);
    expectClose(x.grad, [1], 0);
    expect(() => y.assign(tensor([2], { dtype: "float64" }))).toThrow(/E_VALUE.*leaf/s);
    const z = exp(x);
    const product = x.mul(z);
    x.assign(tensor([3], { dtype: "float64" }));
    expect(() => product.backward([1])).toThrow(/E_STALE.*input 0 of 'mul'/s);
    const data = Float64Array.of(0);
    const copied = tensor(data, { requiresGrad: true });
    const w = copied.square().sum();
    data[0] = 5;
    w.backward();
    expectClose(copied.grad, [0], 0);
  },

  "memory-growth": () => {
    for (const first of ["backward", "total"]) {
      const x = zeros([100], { requiresGrad: true });
      let total: Tensor = tensor(0);
      expectFlatMemory(
        () => {
          const loss = x.sub(5).square().mean();
          if (first === "total") total = total.add(loss);
          loss.backward();
          if (first === "backward") total = total.add(loss);
          x.assign(x.sub(x.grad!.mul(0.1)).detach());
          x.grad = undefined;
        },
        { steps: 10_000 },
      );
      expect(total.item()).toBeGreaterThan(24);
    }
  },
};
