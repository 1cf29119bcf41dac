import fc from "fast-check";
import { expect } from "vitest";
import { full, normalize, std, tensor, variance } from "../../../src/autograd/index.js";
import { expectClose, gradientOf, leaf } from "./close.js";

export const statisticsCases: Readonly<Record<string, () => void>> = {
  "std-constant": () => {
    const single = leaf([3]);
    const zero = std(single, undefined, { correction: 0 });
    expect(zero.item()).toBe(0);
    zero.backward();
    expectClose(single.grad, [0], 0);
    expectClose(
      gradientOf((x) => std(x), [1, 1, 1, 1]),
      [0, 0, 0, 0],
      0,
    );
    expect(variance(leaf([3])).item()).toBeNaN();
    expect(std(leaf([3])).item()).toBeNaN();
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -1e30, max: 1e30 }),
        fc.integer({ min: 2, max: 40 }),
        (x, n) => {
          for (const dtype of ["float32", "float64"] as const) {
            const list = tensor(new Array<number>(n).fill(x), { dtype, requiresGrad: true });
            const spread = std(list);
            expect(spread.item()).toBe(0);
            spread.backward();
            expect(list.grad!.values().every((g) => g === 0)).toBe(true);
          }
        },
      ),
    );
  },

  "layernorm-large-mean": () => {
    const first = normalize(Array.from({ length: 16 }, (_, i) => 1000 + i * 1e-3));
    expect(first.dtype).toBe("float32");
    expect(Math.abs(first.values()[0]! + 1.34151)).toBeLessThan(1e-5);
    expectClose(
      normalize([40000, 40001, 40002, 40003]),
      [-1.3416354, -0.4472118, 0.4472118, 1.3416354],
      1e-7,
    );
    expectClose(normalize(full([5], 1234)), [0, 0, 0, 0, 0], 0);
    fc.assert(
      fc.property(
        fc.float({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 1, max: 50 }),
        (x, n) => {
          const row = tensor(new Float32Array(n).fill(x), { requiresGrad: true });
          const out = normalize(row);
          expect(out.values().every((y) => y === 0)).toBe(true);
          out.square().sum().backward();
          expect(row.grad!.values().every((g) => g === 0)).toBe(true);
        },
      ),
    );
  },

  "long-reduction": () => {
    const many = full([1_000_000], Math.fround(1 / 255));
    expect(many.sum().item()).toBeCloseTo(3921.5688, 3);
    expect(many.reshape([1000, 1000]).sum(0).sum().item()).toBeCloseTo(3921.5688, 2);
    expect(many.reshape([500_000, 2]).sum(0).sum().item()).toBeCloseTo(3921.5688, 2);
    expect(full([20_000_000], 1).mean().item()).toBe(1);
    const flat = many.softmax();
    expect(Math.abs(flat.values()[7]! * 1e6 - 1)).toBeLessThan(4 * 1000 * 2 ** -24);
    const peaked = tensor(new Float32Array(1_000_000).fill(-0.3).fill(0, 0, 1)).softmax();
    const exact = 1 / (1 + 999_999 * Math.exp(Math.fround(-0.3)));
    expect(Math.abs(peaked.values()[0]! / exact - 1)).toBeLessThan(1e-6);
  },
};
