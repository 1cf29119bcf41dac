import fc from "fast-check";
import { expect } from "vitest";
import { full, gather, matmul, ones, scatterAdd, tensor, zeros } from "../../../src/autograd/index.js";
import { expectClose, leaf } from "./close.js";

export const shapeCases: Readonly<Record<string, () => void>> = {
  "cumsum-axis": () => {
    const x = leaf([
      [7, -2],
      [0, 3],
    ]);
    const cotangent = [
      [1, 2],
      [3, 4],
    ];
    x.cumsum(0).backward(cotangent);
    expectClose(
      x.grad,
      [
        [4, 6],
        [3, 4],
      ],
      0,
    );
    x.grad = undefined;
    x.cumsum(1).backward(cotangent);
    expectClose(
      x.grad,
      [
        [3, 2],
        [7, 4],
      ],
      0,
    );
  },

  "matmul-broadcast-batch": () => {
    const a = leaf([
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ]);
    const b = leaf([
      [9, 10],
      [11, 12],
    ]);
    matmul(a, b).sum().backward();
    expectClose(
      b.grad,
      [
        [16, 16],
        [20, 20],
      ],
      0,
    );
    for (const row of a.grad!.reshape([4, 2]).toArray() as number[][]) expect(row).toEqual([19, 23]);

    const left = leaf(new Float64Array([1, 2, 3, 4]).reduce<number[][]>((rows, x) => [...rows, [x]], []));
    const stack = ones([3, 1, 4, 2], { dtype: "float64", requiresGrad: true });
    matmul(left.transpose(), stack).sum().backward();
    expect(left.grad!.toArray()).toEqual([[6], [6], [6], [6]]);
    expect(stack.grad!.shape).toEqual([3, 1, 4, 2]);
  },

  "mean-axis-matmul": () => {
    const t = ones([2, 3], { requiresGrad: true });
    t.mean(0, { keepDims: true })
      .matmul(full([3, 1], 10))
      .sum()
      .backward();
    expectClose(t.grad, full([2, 3], 5).toArray(), 0);
  },

  "unbroadcast-empty": () => {
    const a = zeros([4, 0], { requiresGrad: true });
    const b = ones([4, 1], { requiresGrad: true });
    a.add(b).sum().backward();
    expect(a.grad!.shape).toEqual([4, 0]);
    expectClose(b.grad, [[0], [0], [0], [0]], 0);
  },

  "zero-size": () => {
    const x = zeros([2, 0], { requiresGrad: true });
    x.cumsum(1).sum().backward();
    expect(x.grad!.shape).toEqual([2, 0]);
    x.cumprod(0).sum().backward();
    expect(x.grad!.shape).toEqual([2, 0]);
    const a = zeros([2, 0], { requiresGrad: true });
    const b = zeros([0, 3], { requiresGrad: true });
    const product = matmul(a, b);
    expectClose(product, zeros([2, 3]).toArray(), 0);
    product.sum().backward();
    expect(a.grad!.shape).toEqual([2, 0]);
    expect(b.grad!.shape).toEqual([0, 3]);
  },

  "gather-duplicates": () => {
    const x = leaf([0.1]);
    gather(x, [0, 0]).backward([0.2, 0.3]);
    expectClose(x.grad, [0.5], 1e-15);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -9, max: 9 }))),
        (entries) => {
          const indices = entries.map(([at]) => at);
          const updates = tensor(
            entries.map(([, value]) => value),
            { dtype: "float64" },
          );
          const counted = [0, 0, 0, 0];
          for (const [at, value] of entries) counted[at]! += value;
          const y = leaf([1, 2, 3, 4]);
          gather(y, indices).backward(updates);
          expect(y.grad!.toArray()).toEqual(counted);
          const added = scatterAdd(zeros([4], { dtype: "float64" }), indices, updates);
          expect(added.toArray()).toEqual(counted);
        },
      ),
    );
  },
};
