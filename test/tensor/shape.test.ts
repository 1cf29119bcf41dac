import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  eye,
  linspace,
  randomIntegers,
  randomNormal,
  randomPermutation,
  randomUniform,
  tensor,
  zeros,
} from "../../src/autograd/index.js";
import { generator } from "../../src/random/index.js";
import {
  areBroadcastable,
  broadcastShapes,
  broadcastsTo,
  checkedShape,
  formatShape,
  mostElements,
  NDArray,
  normalizeAxes,
  normalizeAxis,
  sameShape,
  sizeOf,
  stridesOf,
} from "../../src/tensor/index.js";
import { runs } from "../runs.js";

const shape = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 4 });

/** NumPy's rule, written with padding instead of counting from the end. */
function padded(a: readonly number[], b: readonly number[]): number[] | undefined {
  const rank = Math.max(a.length, b.length);
  const fill = (x: readonly number[]): number[] => [...new Array<number>(rank - x.length).fill(1), ...x];
  const [left, right] = [fill(a), fill(b)];
  const fits = left.every((size, axis) => size === right[axis] || size === 1 || right[axis] === 1);
  return fits ? left.map((size, axis) => (size === 1 ? right[axis]! : size)) : undefined;
}

describe("broadcasting", () => {
  test("two shapes make one, or none, by NumPy's rule", () => {
    fc.assert(
      fc.property(shape, shape, (a, b) => {
        const wanted = padded(a, b);
        expect(areBroadcastable(a, b)).toBe(wanted !== undefined);
        if (wanted) {
          expect(broadcastShapes("op", a, b)).toEqual(wanted);
          expect(broadcastShapes("op", b, a)).toEqual(wanted);
          expect(broadcastsTo(a, wanted)).toBe(true);
        } else expect(() => broadcastShapes("op", a, b)).toThrow(/E_SHAPE: op: shapes .* do not broadcast/);
        expect(broadcastsTo(a, b)).toBe(wanted !== undefined && sameShape(wanted, b));
      }),
      { numRuns: runs(500) },
    );
  });

  test("sizes of 0 stretch from 1 only", () => {
    expect(broadcastShapes("op", [4, 0], [4, 1])).toEqual([4, 0]);
    expect(broadcastShapes("op", [0], [])).toEqual([0]);
    expect(() => broadcastShapes("op", [0], [2])).toThrow(
      /axis -1 has sizes 0 and 2, which must be equal or 1/,
    );
  });
});

describe("shapes", () => {
  test("their sizes and strides are row-major", () => {
    fc.assert(
      fc.property(shape, (dims) => {
        expect(sizeOf(dims)).toBe(dims.reduce((a, b) => a * b, 1));
        const strides = stridesOf(dims);
        dims.forEach((_, axis) => expect(strides[axis]).toBe(sizeOf(dims.slice(axis + 1))));
        expect(formatShape(dims)).toBe(`[${dims.join(", ")}]`);
        expect(sameShape(dims, [...dims])).toBe(true);
        expect(sameShape(dims, [...dims, 1])).toBe(false);
      }),
    );
  });

  test("are whole, not negative, and not larger than a tensor can be", () => {
    for (const bad of [[-1], [1.5], [NaN], [Infinity], ["2"], [undefined], "22", 3, null, undefined])
      expect(() => checkedShape("op", bad as never), String(bad)).toThrow(/E_SHAPE: op: expected a shape/);
    expect(() => checkedShape("op", [mostElements + 1])).toThrow(/E_SHAPE.*536870913/);
    expect(() => checkedShape("op", [1e9, 1e9, 0])).not.toThrow();
    expect(checkedShape("op", [mostElements])).toEqual([mostElements]);
  });

  test("have no −0, however they are asked for", () => {
    expect(checkedShape("op", [-0, 2])).toEqual([0, 2]);
    const rng = generator(1);
    const empty = [
      zeros([-0]),
      tensor([], { shape: [-0] }),
      zeros([0]).reshape([-0]),
      zeros([1]).expand([-0]),
      linspace(0, 1, -0),
      randomUniform(rng, [-0]),
      randomNormal(rng, [-0]),
      randomIntegers(rng, [-0], 0, 2),
      randomPermutation(rng, -0),
    ];
    for (const { shape } of [...empty, NDArray.of([-0], new Float32Array(0))]) expect(shape).toEqual([0]);
    expect(eye(-0).shape).toEqual([0, 0]);
  });
});

describe("axes", () => {
  test("count from either end", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -8, max: 8 }), (rank, axis) => {
        if (axis >= -rank && axis < rank) expect(normalizeAxis("op", axis, rank)).toBe((axis + rank) % rank);
        else expect(() => normalizeAxis("op", axis, rank)).toThrow(/E_AXIS: op: .*got -?\d/);
      }),
    );
    expect(() => normalizeAxis("op", 0, 0)).toThrow(/E_AXIS: op: a scalar has no axis/);
    for (const bad of [0.5, NaN, Infinity, "0", undefined, [0]])
      expect(() => normalizeAxis("op", bad as never, 2)).toThrow(/E_AXIS.*from -2 to 1/);
  });

  test("come in rising order, each once, all when left out", () => {
    expect(normalizeAxes("op", undefined, 3)).toEqual([0, 1, 2]);
    expect(normalizeAxes("op", [-1, 0], 3)).toEqual([0, 2]);
    expect(normalizeAxes("op", 1, 3)).toEqual([1]);
    expect(normalizeAxes("op", [], 3)).toEqual([]);
    expect(() => normalizeAxes("op", [1, -2], 3)).toThrow(/E_AXIS: op: axis 1 is named twice in \[1, -2\]/);
    expect(() => normalizeAxes("op", "x" as never, 3)).toThrow(/E_AXIS/);
    expect(() => normalizeAxes("op", null as never, 3)).toThrow(/E_AXIS/);
  });
});
