import fc from "fast-check";
import { expect, test } from "vitest";
import { slice, tensor, type Range } from "../../../src/autograd/index.js";
import { anyWholes, at, built, expectSame } from "./naive.js";
import { runs } from "../../runs.js";

/** The entries of an axis that a range names, by walking as Python's slice does. */
function entries(range: Range, length: number): number[] {
  if (range === null) return Array.from({ length }, (_, i) => i);
  if (typeof range === "number") return [range < 0 ? range + length : range];
  const [start, stop, step = 1] = range;
  const from = (value: number | null | undefined, other: number): number => {
    if (value === null || value === undefined) return other;
    return value < 0 ? value + length : value;
  };
  const out: number[] = [];
  if (step > 0) {
    const end = from(stop, length);
    for (let i = Math.max(from(start, 0), 0); i < Math.min(end, length); i += step) out.push(i);
  } else {
    const end = Math.max(from(stop, -1), -1);
    for (let i = Math.min(from(start, length - 1), length - 1); i > end; i += step) out.push(i);
  }
  return out.filter((i) => i >= 0 && i < length);
}

const bound = fc.oneof(fc.constant(null), fc.constant(undefined), fc.integer({ min: -6, max: 6 }));
const ranges = (length: number): fc.Arbitrary<Range> =>
  fc.oneof(
    fc.constant(null),
    fc.tuple(bound, bound, fc.constantFrom(1, 2, 3, 7, -1, -2, -3, -7)),
    fc.tuple(bound, bound),
    fc.tuple(bound),
    fc.constant([] as const),
    ...(length > 0 ? [fc.integer({ min: -length, max: length - 1 })] : []),
  );

test("slice takes what Python's slices take", () => {
  const cases = anyWholes({ maxSize: 5 }).chain((x) =>
    fc
      .tuple(fc.tuple(...x.shape.map(ranges)), fc.nat(x.rank))
      .map(([all, kept]) => [x, all.slice(0, kept) as Range[]] as const),
  );
  fc.assert(
    fc.property(cases, ([x, given]) => {
      const named = x.shape.map((length, axis) => entries(given[axis] ?? null, length));
      const dropped = x.shape.map((_, axis) => typeof given[axis] === "number");
      const shape = named.filter((_, axis) => !dropped[axis]).map((list) => list.length);
      const wanted = built(shape, (index) => {
        let next = 0;
        return at(
          x,
          named.map((list, axis) => list[dropped[axis] ? 0 : index[next++]!]!),
        );
      });
      expectSame(slice(x, given), wanted);
    }),
    { numRuns: runs(300) },
  );
});

test("the extremes of steps and bounds", () => {
  const x = tensor([0, 1, 2, 3, 4], { dtype: "int32" });
  expect(slice(x, [[null, null, -1]]).toArray()).toEqual([4, 3, 2, 1, 0]);
  expect(slice(x, [[-2, -5, -1]]).toArray()).toEqual([3, 2, 1]);
  expect(slice(x, [[1, -1]]).toArray()).toEqual([1, 2, 3]);
  expect(slice(x, [[10, -10, -2]]).toArray()).toEqual([4, 2, 0]);
  expect(slice(x, [[3, 1]]).toArray()).toEqual([]);
  expect(slice(x, [[-1]]).toArray()).toEqual([4]);
  expect(slice(x, [-1]).item()).toBe(4);
  expect(slice(x, []).toArray()).toEqual([0, 1, 2, 3, 4]);
  expect(slice(x, [[0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]]).toArray()).toEqual([0]);
});
