import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gather, scatterAdd, takeAlongAxis, tensor, type Tensor } from "../../../src/autograd/index.js";
import { shapes, sizeOf } from "../arbitraries.js";
import { at, built, expectSame, positions, wholes } from "./naive.js";

const indicesOf = (length: number, shape: readonly number[]): fc.Arbitrary<Tensor> =>
  fc
    .array(fc.integer({ min: 0, max: length - 1 }), { minLength: sizeOf(shape), maxLength: sizeOf(shape) })
    .map((list) => tensor(Int32Array.from(list), { shape: [...shape] }));

/** A tensor, an axis (perhaps from the end), and indices of any shape along it. */
const looked = shapes({ minRank: 1, minSize: 1 }).chain((shape) =>
  fc
    .integer({ min: -shape.length, max: shape.length - 1 })
    .chain((axis) =>
      shapes({ maxRank: 2 }).chain((count) =>
        fc.tuple(wholes(shape), fc.constant(axis), indicesOf(shape.at(axis)!, count)),
      ),
    ),
);

/** The position in x of a position in the result of gather. */
function source(index: readonly number[], axis: number, indices: Tensor): number[] {
  const middle = index.slice(axis, axis + indices.rank);
  return [...index.slice(0, axis), at(indices, middle), ...index.slice(axis + indices.rank)];
}

describe("gather and scatterAdd", () => {
  test("gather is NumPy's take", () => {
    fc.assert(
      fc.property(looked, ([x, axis, indices]) => {
        const first = axis < 0 ? axis + x.rank : axis;
        const shape = [...x.shape.slice(0, first), ...indices.shape, ...x.shape.slice(first + 1)];
        expectSame(
          gather(x, indices, axis),
          built(shape, (index) => at(x, source(index, first, indices))),
        );
      }),
    );
  });

  test("scatterAdd adds each update where gather would read it, repeats included", () => {
    fc.assert(
      fc.property(
        looked.chain(([x, axis, indices]) =>
          fc.tuple(fc.constant([x, axis, indices] as const), wholes(gather(x, indices, axis).shape)),
        ),
        ([[x, axis, indices], updates]) => {
          const first = axis < 0 ? axis + x.rank : axis;
          const sums = new Map<string, number>();
          for (const index of positions(updates.shape)) {
            const key = source(index, first, indices).join();
            sums.set(key, (sums.get(key) ?? 0) + at(updates, index));
          }
          expectSame(
            scatterAdd(x, indices, updates, axis),
            built(x.shape, (index) => at(x, index) + (sums.get(index.join()) ?? 0)),
          );
        },
      ),
    );
  });

  test("integers wrap around, booleans count, and plain lists do", () => {
    const big = tensor([2 ** 31 - 1, 0], { dtype: "int32" });
    expect(scatterAdd(big, [0, 0], Int32Array.of(1, 1)).toArray()).toEqual([-(2 ** 31) + 1, 0]);
    const counts = scatterAdd(tensor([false, true]), [1, 1, 1], [true, true, true]);
    expect(counts.dtype).toBe("int32");
    expect(counts.toArray()).toEqual([0, 4]);
    expect(gather([10, 20, 30], [[2], [0]]).toArray()).toEqual([[30], [10]]);
    expect(gather([10, 20, 30], 1).item()).toBe(20);
    expect(gather(tensor([true, false]), [1, 0]).dtype).toBe("bool");
  });

  test("indices must be whole, int32 and on the axis", () => {
    const x = tensor([1, 2, 3]);
    expect(() => gather(x, [0.5])).toThrow(/E_INDEX.*whole.*0.5/s);
    expect(() => gather(x, [NaN])).toThrow(/E_INDEX.*NaN/s);
    expect(() => gather(x, [2 ** 32])).toThrow(/E_INDEX/);
    expect(() => gather(x, tensor([0, 1]))).toThrow(/E_DTYPE.*int32.*float32/s);
    expect(() => gather(x, [3])).toThrow(/E_INDEX.*index 3.*axis 0 of \[3\], expected 0 to 2/s);
    expect(() => gather(x, [-1])).toThrow(/E_INDEX/);
    expect(() => gather(tensor([]), [0])).toThrow(/E_INDEX.*no entries/s);
    expect(() => gather(tensor(1), [0])).toThrow(/E_AXIS/);
    expect(() => scatterAdd(x, [0], [1, 2])).toThrow(/E_SHAPE.*\[1\].*\[2\]/s);
  });
});

describe("takeAlongAxis", () => {
  test("is NumPy's take_along_axis", () => {
    const cases = shapes({ minRank: 1, minSize: 1 }).chain((shape) =>
      fc
        .tuple(fc.integer({ min: -shape.length, max: shape.length - 1 }), fc.nat(3))
        .chain(([axis, count]) => {
          const first = axis < 0 ? axis + shape.length : axis;
          const looked = shape.map((length, i) => (i === first ? count : length));
          return fc.tuple(wholes(shape), fc.constant(axis), indicesOf(shape[first]!, looked));
        }),
    );
    fc.assert(
      fc.property(cases, ([x, axis, indices]) => {
        const first = axis < 0 ? axis + x.rank : axis;
        expectSame(
          takeAlongAxis(x, indices, axis),
          built(indices.shape, (index) =>
            at(
              x,
              index.map((i, a) => (a === first ? at(indices, index) : i)),
            ),
          ),
        );
      }),
    );
  });

  test("refuses indices of another shape", () => {
    const x = tensor([
      [1, 2],
      [3, 4],
    ]);
    expect(() => takeAlongAxis(x, [0, 1])).toThrow(/E_SHAPE.*\[2, 2\].*axis 1.*\[2\]/s);
    expect(() => takeAlongAxis(x, [[0, 1, 1]], 1)).toThrow(/E_SHAPE/);
  });
});
