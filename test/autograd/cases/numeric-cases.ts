import fc from "fast-check";
import { expect } from "vitest";
import {
  gradients,
  logsumexp,
  maximum,
  minimum,
  pow,
  tensor,
  where,
  type Tensor,
} from "../../../src/autograd/index.js";
import { expectClose, gradientOf, leaf } from "./close.js";

/** Functions whose value or derivative at 0 is not finite. */
const poles: readonly ((x: Tensor) => Tensor)[] = [
  (x) => x.sqrt(),
  (x) => x.log(),
  (x) => x.reciprocal(),
  (x) => x.pow(-1.5),
  (x) => x.pow(0.5),
  (x) => x.div(x.mul(0)),
  (x) => x.log().exp(),
  (x) => x.log().mul(x),
  (x) => x.sub(1).log1p(),
];

/** Functions that keep √ from what is below 0: their rules must stop the infinite derivative of √ at 0. */
const guards: readonly ((x: Tensor) => Tensor)[] = [
  (x) => x.relu(),
  (x) => x.maximum(0),
  (x) => x.neg().minimum(0).neg(),
  (x) => x.clip(0, 9),
  (x) => x.where(x.greater(0), 0),
  (x) => x.mul(x.greater(0).cast("float64")).add(x.relu()).mul(0.5).relu(),
];

/** Numbers in a row of −∞ and others. */
const logits = fc.array(fc.oneof(fc.constant(-Infinity), fc.integer({ min: -50, max: 50 })), {
  minLength: 1,
  maxLength: 5,
});

export const numericCases: Readonly<Record<string, () => void>> = {
  "where-nan": () => {
    expectClose(
      gradientOf((x) => where(x.equal(0), x.div(2), x.sqrt().add(1)).sum(), [16, 0]),
      [0.125, 0.5],
    );
    expectClose(
      gradientOf((x) => where(x.greater(0), x.sqrt(), x).sum(), [-1, -4]),
      [1, 1],
    );
    for (const guard of guards)
      expectClose(
        gradientOf((x) => guard(x).sqrt().sum(), [-1, 4]),
        [0, 0.25],
      );
    expectClose(
      gradientOf((x) => x.max().sub(0.25).sqrt(), [0.25, -1]),
      [Infinity, 0],
    );
    for (const pole of poles) {
      const guarded = (x: Tensor): Tensor => where(x.equal(0), x.mul(3), pole(x)).sum();
      expectClose(gradientOf(guarded, [0]), [3]);
      const x = leaf([0]);
      const [first] = gradients(guarded(x), [x], { createGraph: true });
      const [second] = gradients(first!.mul(x.add(1)).sum(), [x]);
      expectClose(second, [3]);
    }
  },

  "lse-all-neg-inf": () => {
    const row = leaf([-Infinity, -Infinity]);
    const total = logsumexp(row);
    expect(total.item()).toBe(-Infinity);
    total.backward();
    expectClose(row.grad, [0, 0], 0);
    const rows = leaf([
      [1, 2],
      [-Infinity, -Infinity],
    ]);
    const both = logsumexp(rows, 1);
    expectClose(both, [2.3132617, -Infinity], 1e-7);
    both.backward([1, 1]);
    expectClose(rows.grad, [
      [0.26894142, 0.73105858],
      [0, 0],
    ]);
    expectClose(
      gradientOf((x) => logsumexp(x), [Infinity, 1]),
      [1, 0],
    );
    fc.assert(
      fc.property(logits, (list) => {
        const g = gradientOf((x) => logsumexp(x), list).values();
        const sum = [...g].reduce((a, b) => a + b, 0);
        expect(sum).toBeCloseTo(list.some((x) => x > -Infinity) ? 1 : 0, 12);
      }),
    );
  },

  "norm-at-zero": () => {
    expectClose(
      gradientOf((x) => x.norm(), [0, 0]),
      [0, 0],
      0,
    );
    expectClose(
      gradientOf(
        (x) => x.norm(1).sum(),
        [
          [0, 0],
          [3, 4],
        ],
      ),
      [
        [0, 0],
        [0.6, 0.8],
      ],
    );
    expectClose(
      gradientOf((x) => x.norm(), [3e-200, 4e-200]),
      [0.6, 0.8],
    );
    expect(tensor([3e200, 4e200], { dtype: "float64" }).norm().item()).toBeCloseTo(5e200, -190);
  },

  "max-ties": () => {
    expectClose(
      gradientOf((x) => x.max(), [1, 1, 0]),
      [0.5, 0.5, 0],
    );
    expectClose(
      gradientOf((x) => x.min(), [1, 0, 0]),
      [0, 0.5, 0.5],
    );
    expectClose(
      gradientOf((x) => maximum(x, tensor([1, 2], { dtype: "float64" })).sum(), [1, 1]),
      [0.5, 0],
    );
    expectClose(
      gradientOf((x) => minimum(x, x).sum(), [1, 1]),
      [1, 1],
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 6 }), (list) => {
        const g = [...gradientOf((x) => x.max(), list).values()];
        expect(g.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
        const winners = new Set(g.filter((share) => share > 0));
        expect(winners.size).toBe(1);
      }),
    );
  },

  "pow-at-zero": () => {
    const base = tensor([0, 2], { dtype: "float64" });
    expectClose(
      gradientOf((b) => pow(base, b).sum(), [1, 1]),
      [0, 1.3862943611198906],
      1e-15,
    );
    expectClose(
      gradientOf((a) => pow(a, 0).sum(), [0]),
      [0],
      0,
    );
    expectClose(
      gradientOf((a) => pow(a, 2).sum(), [-2]),
      [-4],
      0,
    );
    expectClose(
      gradientOf((b) => pow(base, b).sum(), [0, 0]),
      [0, Math.LN2],
    );
    expectClose(
      gradientOf((a) => pow(a, tensor([1, 2, 3, 0], { dtype: "float64" })).sum(), [0, 0, 0, 0]),
      [1, 0, 0, 0],
    );
    const x = leaf([0]);
    const [first] = gradients(pow(x, 2).sum(), [x], { createGraph: true });
    expectClose(gradients(first!.sum(), [x])[0], [2], 0);
  },

  "prod-zeros": () => {
    expectClose(
      gradientOf((x) => x.prod(), [2, 0, 3, 4]),
      [0, 24, 0, 0],
      0,
    );
    expectClose(
      gradientOf((x) => x.prod(), [0, 2, 3]),
      [6, 0, 0],
      0,
    );
    expectClose(
      gradientOf((x) => x.prod(), [0, 2, 0, 3]),
      [0, 0, 0, 0],
      0,
    );
    expectClose(
      gradientOf(
        (x) => x.prod([0, 2]).sum(),
        [
          [
            [0, 2],
            [1, 1],
          ],
          [
            [3, 4],
            [0, 5],
          ],
        ],
      ),
      [
        [
          [24, 0],
          [0, 0],
        ],
        [
          [0, 0],
          [5, 0],
        ],
      ],
      0,
    );
  },

  "cumprod-zeros": () => {
    expectClose(
      gradientOf((x) => x.cumprod(0).sum(), [2, 0, 3, 4]),
      [1, 32, 0, 0],
      0,
    );
    expectClose(
      gradientOf((x) => x.cumprod(0).sum(), [0, 0, 5]),
      [1, 0, 0],
      0,
    );
  },
};
