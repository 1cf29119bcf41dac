import fc from "fast-check";
import { expect } from "vitest";
import {
  full,
  gradients,
  logsumexp,
  maximum,
  minimum,
  normalize,
  pow,
  std,
  tensor,
  variance,
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
