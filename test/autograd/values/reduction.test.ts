import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  argmax,
  argmin,
  cumprod,
  cumsum,
  grad,
  logsumexp,
  max,
  mean,
  min,
  norm,
  prod,
  std,
  sum,
  tensor,
  variance,
  zeros,
  type Tensor,
} from "../../../src/autograd/index.js";
import { axesOf, shapes, tensors } from "../arbitraries.js";
import { anyWholes, at, built, expectSame, positions } from "./naive.js";

const u = 2 ** -24;

/** x with its values in the lists that a reduction along the axes sees, in row-major order. */
function lists(x: Tensor, axes: readonly number[]): { shape: number[]; list: (kept: number[]) => number[] } {
  const reduced = new Set(axes.map((axis) => (axis < 0 ? axis + x.rank : axis)));
  const shape = x.shape.map((length, axis) => (reduced.has(axis) ? 1 : length));
  const list = (kept: number[]): number[] =>
    [...positions(x.shape.map((length, axis) => (reduced.has(axis) ? length : 1)))].map((inside) =>
      at(
        x,
        inside.map((i, axis) => (reduced.has(axis) ? i : kept[axis]!)),
      ),
    );
  return { shape, list };
}

const total = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
const average = (list: readonly number[]): number => total(list) / list.length;
const spread = (list: readonly number[], correction: number): number =>
  list.length > correction
    ? total(list.map((x) => (x - average(list)) ** 2)) / (list.length - correction)
    : NaN;

type Axes = readonly number[] | undefined;
type Options = { keepDims: boolean };
type Reduction = [
  name: string,
  op: (x: Tensor, axes: Axes, options: Options) => Tensor,
  naive: (list: readonly number[]) => number,
];

const reductions: Reduction[] = [
  ["sum", sum, total],
  ["prod", prod, (list) => list.reduce((a, b) => a * b, 1)],
  ["mean", mean, average],
  ["variance", variance, (list) => spread(list, 1)],
  ["population variance", (x, a, o) => variance(x, a, { ...o, correction: 0 }), (list) => spread(list, 0)],
  ["std", std, (list) => Math.sqrt(spread(list, 1))],
  ["norm", norm, (list) => Math.hypot(...list)],
  ["logsumexp", logsumexp, (list) => Math.log(total(list.map(Math.exp)))],
];

/** A tensor and the axes to reduce, perhaps none, perhaps all. */
const reduced = (options = {}) =>
  shapes(options).chain((shape) =>
    fc.tuple(tensors(shape), fc.option(axesOf(shape.length), { nil: undefined }), fc.boolean()),
  );

describe.each(reductions)("%s", (_, op, naive) => {
  test("over any axes is a plain loop", () => {
    fc.assert(
      fc.property(reduced({ minSize: 0 }), ([x, axes, keepDims]) => {
        const { shape, list } = lists(x, axes ?? [...x.shape.keys()]);
        const found = op(x, axes, { keepDims });
        const gone = new Set((axes ?? [...x.shape.keys()]).map((axis) => (axis < 0 ? axis + x.rank : axis)));
        expect(found.shape).toEqual(keepDims ? shape : shape.filter((_length, axis) => !gone.has(axis)));
        const values = found.values();
        [...positions(shape)].forEach((kept, i) => {
          const wanted = naive(list(kept));
          if (Number.isNaN(wanted)) expect(values[i]).toBeNaN();
          else if (!Number.isFinite(wanted)) expect(values[i]).toBe(wanted);
          else
            expect(Math.abs(values[i]! - wanted)).toBeLessThanOrEqual(1e-13 * Math.max(1, Math.abs(wanted)));
        });
      }),
    );
  });
});

describe.each<["max" | "min", typeof max]>([
  ["max", max],
  ["min", min],
])("%s", (name, op) => {
  test("over any axes is a plain loop", () => {
    fc.assert(
      fc.property(reduced({ minSize: 1 }), ([x, axes, keepDims]) => {
        const { shape, list } = lists(x, axes ?? [...x.shape.keys()]);
        const found = op(x, axes, { keepDims }).reshape(shape);
        expectSame(
          found,
          built(shape, (kept) => Math[name](...list(kept))),
        );
      }),
    );
  });

  test("NaN wins, and of nothing there is none", () => {
    expect(op(tensor([1, NaN, Infinity])).item()).toBeNaN();
    expect(() => op(zeros([2, 0]), 1)).toThrow(/E_SHAPE.*no elements.*\[2, 0\]/s);
    expect(op(zeros([0, 2]), 1).shape).toEqual([0]);
    expect(op(tensor([3, -5], { dtype: "int32" })).dtype).toBe("int32");
  });
});

test("float32 sums stay within 4√n·u·Σ|x|, and do not depend on where the axis lies", () => {
  const list = Float32Array.from({ length: 9001 }, (_, i) => Math.sin(i * i) * 10 ** (i % 4));
  const exact = total([...list]);
  const allowed = 4 * Math.sqrt(list.length) * u * total([...list].map(Math.abs));
  const row = tensor(list).sum().item();
  expect(Math.abs(row - exact)).toBeLessThan(allowed);
  const columns = tensor(list).unsqueeze(1).expand([9001, 3]).sum(0);
  expect([...columns.values()]).toEqual([row, row, row]);
  for (const length of [1, 2, 3, 5, 8, 9, 15, 16, 17, 31, 33, 100, 4095, 4096, 4097, 8193]) {
    const part = tensor(list).slice([[0, length]]);
    const across = part.unsqueeze(1).expand([length, 2]).sum(0);
    expect([...across.values()], String(length)).toEqual([part.sum().item(), part.sum().item()]);
  }
});

describe("argmax and argmin", () => {
  test("are the first extreme along the axis, and NaN counts as extreme", () => {
    const element = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(NaN, Infinity, -Infinity));
    fc.assert(
      fc.property(fc.array(element, { minLength: 1, maxLength: 6 }), (list) => {
        const nan = list.findIndex(Number.isNaN);
        expect(argmax(list).item()).toBe(nan >= 0 ? nan : list.indexOf(Math.max(...list)));
        expect(argmin(list).item()).toBe(nan >= 0 ? nan : list.indexOf(Math.min(...list)));
      }),
    );
    fc.assert(
      fc.property(
        anyWholes({ minRank: 1, minSize: 1 }).chain((x) => fc.tuple(fc.constant(x), fc.nat(x.rank - 1))),
        ([x, axis]) => {
          const { shape, list } = lists(x, [axis]);
          const wanted = built(shape, (kept) => list(kept).indexOf(Math.max(...list(kept))), "int32");
          expectSame(argmax(x, axis, { keepDims: true }), wanted);
          expectSame(argmax(x, axis - x.rank), wanted.squeeze(axis));
        },
      ),
    );
  });

  test("of nothing there is none", () => {
    expect(() => argmax(zeros([2, 0]), 1)).toThrow(/E_SHAPE.*argmax.*\[2, 0\]/s);
    expect(() => argmin([])).toThrow(/E_SHAPE/);
    expect(argmax(zeros([0, 2]), 1).shape).toEqual([0]);
    expect(
      argmax([
        [1, 5],
        [7, 2],
      ]).item(),
    ).toBe(2);
    expect(
      argmax(
        [
          [1, 5],
          [7, 2],
        ],
        undefined,
        { keepDims: true },
      ).shape,
    ).toEqual([1, 1]);
  });
});

describe("cumsum and cumprod", () => {
  test("are running loops along any axis", () => {
    fc.assert(
      fc.property(
        anyWholes({ minRank: 1 }).chain((x) =>
          fc.tuple(fc.constant(x), fc.integer({ min: -x.rank, max: x.rank - 1 })),
        ),
        ([x, axis]) => {
          const first = axis < 0 ? axis + x.rank : axis;
          const upTo = (index: number[]): number[] =>
            Array.from({ length: index[first]! + 1 }, (_, i) => at(x, index.with(first, i)));
          expectSame(
            cumsum(x, axis),
            built(x.shape, (index) => total(upTo(index))),
          );
          expectSame(
            cumprod(x, axis),
            built(x.shape, (index) => upTo(index).reduce((a, b) => a * b, 1)),
          );
        },
      ),
    );
  });
});

test("whole numbers wrap around at 32 bits, as NumPy's int32 does", () => {
  const big = tensor([2 ** 31 - 1, 1, 1], { dtype: "int32" });
  expect(big.sum().item()).toBe(-(2 ** 31) + 1);
  expect(big.cumsum(0).toArray()).toEqual([2 ** 31 - 1, -(2 ** 31), -(2 ** 31) + 1]);
  const factors = tensor([123456789, 987654321, 192837465], { dtype: "int32" });
  const product = BigInt.asIntN(32, 123456789n * 987654321n * 192837465n);
  expect(factors.prod().item()).toBe(Number(product));
  expect(factors.cumprod(0).values()[2]).toBe(Number(product));
  expect(tensor([true, true, false]).sum().toArray()).toBe(2);
  expect(tensor([true, true, false]).sum().dtype).toBe("int32");
  expect(tensor([true, true]).cumprod(0).dtype).toBe("int32");
});

test("the gradient of prod along any axes is the product of the other elements, in its place", () => {
  const x = tensor(
    Float64Array.from({ length: 24 }, (_, i) => 0.5 + i / 8),
    { shape: [2, 3, 4] },
  );
  for (const axes of [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]) {
    const slopes = grad((input: Tensor) => prod(input, axes).sum())(x);
    const others = prod(x, axes, { keepDims: true }).div(x);
    const error = Math.max(...slopes.div(others).sub(1).abs().values());
    expect(error, `axes ${axes.join(", ")}`).toBeLessThan(1e-14);
  }
});
