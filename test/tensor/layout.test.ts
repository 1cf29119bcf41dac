import fc from "fast-check";
import { expect, test } from "vitest";
import {
  allocate,
  broadcastLayout,
  broadcastStrides,
  forEachRow,
  sizeOf,
  stridedCopy,
  stridedWrite,
  stridesOf,
} from "../../src/tensor/index.js";
import { runs } from "../runs.js";

const dims = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 });

/** The offset of every element of a walk, in row-major order. */
function offsets(shape: readonly number[], strides: readonly number[]): number[] {
  let list = [0];
  shape.forEach((length, axis) => {
    list = list.flatMap((at) => Array.from({ length }, (_, i) => at + i * strides[axis]!));
  });
  return list;
}

test("a strided copy and a strided write are the same walk, in both directions", () => {
  const walks = dims.chain((shape) =>
    fc.tuple(
      fc.constant(shape),
      fc.shuffledSubarray([...shape.keys()], { minLength: shape.length, maxLength: shape.length }),
      fc.array(fc.boolean(), { minLength: shape.length, maxLength: shape.length }),
    ),
  );
  fc.assert(
    fc.property(walks, ([shape, order, backwards]) => {
      const own = stridesOf(shape);
      const moved = order.map((axis) => shape[axis]!);
      const strides = order.map((axis, i) => (backwards[i] ? -own[axis]! : own[axis]!));
      const start = order.reduce(
        (at, axis, i) => at + (backwards[i] ? Math.max(0, shape[axis]! - 1) * own[axis]! : 0),
        0,
      );
      const x = Float64Array.from({ length: sizeOf(shape) }, (_, i) => i + 1);
      const out = allocate("float64", x.length);
      const wanted = offsets(moved, strides).map((at) => x[start + at]!);
      if (x.length > 0) stridedCopy(x, start, moved, strides, out);
      expect([...out]).toEqual(x.length > 0 ? wanted : []);
      const back = allocate("float64", x.length);
      if (x.length > 0) stridedWrite(out, back, start, moved, strides);
      expect([...back]).toEqual([...x]);
    }),
    { numRuns: runs(200) },
  );
});

test("two operands are walked together as each alone", () => {
  const pairs = dims.chain((target) =>
    fc
      .tuple(
        ...[0, 1].map(() =>
          fc.tuple(fc.nat(target.length), fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })),
        ),
      )
      .map((cuts) => ({
        target,
        shapes: cuts.map(([cut, ones]) => target.map((size, axis) => (ones[axis] ? 1 : size)).slice(cut)),
      })),
  );
  fc.assert(
    fc.property(pairs, ({ target, shapes }) => {
      const [a, b] = shapes as [number[], number[]];
      const layout = broadcastLayout(target, a, b);
      const last = layout.dims.length - 1;
      const found: [number, number][] = [];
      forEachRow(layout, (at, bt, to) => {
        expect(to).toBe(found.length);
        for (let i = 0; i < layout.dims[last]!; i++)
          found.push([at + i * layout.strides[0]![last]!, bt + i * layout.strides[1]![last]!]);
      });
      const wantedA = offsets(target, broadcastStrides(a, target));
      const wantedB = offsets(target, broadcastStrides(b, target));
      expect(found).toEqual(wantedA.map((at, i) => [at, wantedB[i]!]));
    }),
    { numRuns: runs(200) },
  );
});
