import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  concat,
  expand,
  flip,
  pad,
  permute,
  reshape,
  split,
  squeeze,
  stack,
  tensor,
  transpose,
  tril,
  triu,
  unsqueeze,
  zeros,
  type Tensor,
} from "../../../src/autograd/index.js";
import { axesOf, broadcastPairs, dtypes, shapes, sizeOf } from "../arbitraries.js";
import { anyWholes, at, built, expectSame, wholes } from "./naive.js";

describe("moving elements", () => {
  test("reshape keeps the order, and works out one size", () => {
    fc.assert(
      fc.property(anyWholes({ minSize: 1 }), (x) => {
        expectSame(reshape(x, [-1]), tensor(x.values()));
        const turned = [...x.shape].reverse();
        expect(reshape(x, turned).values()).toEqual(x.values());
        turned.forEach((_, i) => expect(reshape(x, turned.with(i, -1)).shape).toEqual(turned));
      }),
    );
    expect(reshape(zeros([0, 2]), [5, 0]).shape).toEqual([5, 0]);
    expect(() => reshape(zeros([0, 2]), [-1, 0])).toThrow(/E_SHAPE/);
    expect(() => reshape(zeros([2, 3]), [4, -1])).toThrow(/E_SHAPE.*\[2, 3\].*\[4, -1\]/s);
    expect(() => reshape(zeros([2, 3]), [-1, -1])).toThrow(/E_SHAPE/);
    expect(() => reshape(zeros([2, 3]), [5])).toThrow(/E_SHAPE.*6 elements.*5/s);
  });

  test("permute and transpose move axes", () => {
    const cases = anyWholes().chain((x) =>
      fc.tuple(
        fc.constant(x),
        fc.shuffledSubarray([...x.shape.keys()], { minLength: x.rank, maxLength: x.rank }),
      ),
    );
    fc.assert(
      fc.property(cases, ([x, order]) => {
        const wanted = built(
          order.map((axis) => x.shape[axis]!),
          (index) =>
            at(
              x,
              [...x.shape.keys()].map((axis) => index[order.indexOf(axis)]!),
            ),
        );
        expectSame(permute(x, order), wanted);
        expectSame(
          permute(
            x,
            order.map((axis) => axis - x.rank),
          ),
          wanted,
        );
      }),
    );
    const x = tensor([[1, 2, 3]]);
    expect(transpose(x).toArray()).toEqual([[1], [2], [3]]);
    expect(transpose(zeros([2, 3, 4]), 0, -1).shape).toEqual([4, 3, 2]);
    expect(() => permute(x, [0, 0])).toThrow(/E_AXIS.*each axis of \[1, 3\] once/s);
    expect(() => permute(x, [0])).toThrow(/E_AXIS/);
    expect(() => transpose(tensor([1, 2]))).toThrow(/E_AXIS/);
  });

  test("expand repeats, flip reverses, in every type", () => {
    fc.assert(
      fc.property(
        broadcastPairs.chain(([from, other]) => fc.tuple(wholes(from), fc.constant(other), dtypes)),
        ([drawn, other, dtype]) => {
          const x = drawn.cast(dtype);
          const shape = [2, ...x.shape.map((size, i) => (size === 1 ? (other[i] ?? 3) : size))];
          expectSame(
            expand(x, shape),
            built(
              shape,
              (index) =>
                at(
                  x,
                  index.slice(1).map((i, axis) => (x.shape[axis] === 1 ? 0 : i)),
                ),
              dtype,
            ),
          );
        },
      ),
    );
    fc.assert(
      fc.property(
        anyWholes().chain((x) => fc.tuple(fc.constant(x), fc.option(axesOf(x.rank), { nil: undefined }))),
        ([x, axes]) => {
          const turned = new Set(
            (axes ?? [...x.shape.keys()]).map((axis) => (axis < 0 ? axis + x.rank : axis)),
          );
          expectSame(
            flip(x, axes),
            built(x.shape, (index) =>
              at(
                x,
                index.map((i, axis) => (turned.has(axis) ? x.shape[axis]! - 1 - i : i)),
              ),
            ),
          );
        },
      ),
    );
    expect(() => expand(zeros([2]), [3])).toThrow(/E_SHAPE.*\[2\].*\[3\]/s);
    expect(() => expand(zeros([2, 1]), [2])).toThrow(/E_SHAPE/);
  });

  test("squeeze and unsqueeze drop and add axes of size 1", () => {
    expect(squeeze(zeros([1, 2, 1])).shape).toEqual([2]);
    expect(squeeze(zeros([1, 2, 1]), -1).shape).toEqual([1, 2]);
    expect(squeeze(zeros([1, 2, 1]), [0, 2]).shape).toEqual([2]);
    expect(unsqueeze(zeros([2, 3]), -1).shape).toEqual([2, 3, 1]);
    expect(unsqueeze(zeros([2, 3]), 0).shape).toEqual([1, 2, 3]);
    expect(unsqueeze(3, 0).shape).toEqual([1]);
    expect(() => squeeze(zeros([1, 2]), 1)).toThrow(/E_SHAPE.*axis 1 of \[1, 2\] has size 2/s);
    expect(() => unsqueeze(zeros([2]), 3)).toThrow(/E_AXIS/);
  });

  test("tril and triu keep what lies on one side of a diagonal", () => {
    const cases = anyWholes({ minRank: 2 }).chain((x) =>
      fc.tuple(fc.constant(x), fc.integer({ min: -3, max: 3 })),
    );
    fc.assert(
      fc.property(cases, ([x, k]) => {
        const kept = (keep: (i: number, j: number) => boolean): Tensor =>
          built(x.shape, (index) => (keep(index[x.rank - 2]!, index[x.rank - 1]!) ? at(x, index) : 0));
        expectSame(
          tril(x, k),
          kept((i, j) => j <= i + k),
        );
        expectSame(
          triu(x, k),
          kept((i, j) => j >= i + k),
        );
      }),
    );
    expect(
      tril(
        tensor([
          [NaN, Infinity],
          [1, NaN],
        ]),
        -1,
      ).toArray(),
    ).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(() => tril(zeros([2]))).toThrow(/E_SHAPE.*two axes/s);
    expect(() => triu(zeros([2, 2]), 0.5)).toThrow(/E_VALUE/);
  });
});

describe("joining and cutting", () => {
  /** Parts of one shape but for their sizes along an axis. */
  const parts = shapes({ minRank: 1 }).chain((shape) =>
    fc
      .tuple(
        fc.integer({ min: -shape.length, max: shape.length - 1 }),
        fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
      )
      .chain(([axis, lengths]) =>
        fc.tuple(fc.constant(axis), fc.tuple(...lengths.map((length) => wholes(shape.with(axis, length))))),
      ),
  );

  test("split undoes concat, and concat lays parts in a row", () => {
    fc.assert(
      fc.property(parts, ([axis, list]) => {
        const whole = concat(list, axis);
        const first = axis < 0 ? axis + whole.rank : axis;
        const lengths = list.map((part) => part.shape[first]!);
        const place = (i: number): [number, number] => {
          let part = 0;
          while (i >= lengths[part]!) i -= lengths[part++]!;
          return [part, i];
        };
        const shape = list[0]!.shape.with(
          first,
          lengths.reduce((a, b) => a + b, 0),
        );
        expectSame(
          whole,
          built(shape, (index) => {
            const [part, inside] = place(index[first]!);
            return at(list[part]!, index.with(first, inside));
          }),
        );
        const again = split(whole, lengths, axis);
        expect(again.length).toBe(list.length);
        again.forEach((part, i) => expectSame(part, list[i]!));
      }),
    );
  });

  test("stack makes a new axis, split in equal pieces", () => {
    fc.assert(
      fc.property(
        anyWholes().chain((x) => fc.tuple(fc.constant(x), fc.integer({ min: -x.rank - 1, max: x.rank }))),
        ([x, axis]) => {
          const first = axis < 0 ? axis + x.rank + 1 : axis;
          const pile = stack([x, x.add(1), x.mul(2)], axis);
          expect(pile.shape).toEqual(x.shape.toSpliced(first, 0, 3));
          const [a, b, c] = split(pile, 3, first).map((part) => part.squeeze(first));
          expectSame(a!, x);
          expectSame(b!, x.add(1));
          expectSame(c!, x.mul(2));
        },
      ),
    );
  });

  test("types are promoted", () => {
    expect(concat([tensor([1], { dtype: "int32" }), tensor([true])]).dtype).toBe("int32");
    expect(concat([tensor([1], { dtype: "float64" }), tensor([2])]).dtype).toBe("float64");
    expect(stack([tensor([true]), tensor([false])]).dtype).toBe("bool");
  });

  test("pad puts a border round", () => {
    const width = fc.nat(2);
    const cases = anyWholes().chain((x) =>
      fc.tuple(
        fc.constant(x),
        fc.tuple(...x.shape.map(() => fc.tuple(width, width))),
        fc.constantFrom(0, 7, -1),
      ),
    );
    fc.assert(
      fc.property(cases, ([x, widths, value]) => {
        const shape = x.shape.map((length, axis) => length + widths[axis]![0] + widths[axis]![1]);
        expectSame(
          pad(x, widths, value),
          built(shape, (index) => {
            const inside = index.map((i, axis) => i - widths[axis]![0]);
            return inside.every((i, axis) => i >= 0 && i < x.shape[axis]!) ? at(x, inside) : value;
          }),
        );
      }),
    );
    expect(pad(tensor([true]), [[1, 1]], 5).toArray()).toEqual([true, true, true]);
    expect(pad(tensor([1], { dtype: "int32" }), [[1, 0]], -3).toArray()).toEqual([-3, 1]);
    expect(() => pad(tensor([1], { dtype: "int32" }), [[1, 0]], 0.5)).toThrow(/E_VALUE.*int32.*0.5/s);
  });

  test("what does not fit is refused", () => {
    expect(() => concat([])).toThrow(/E_SHAPE.*concat.*empty/s);
    expect(() => concat(zeros([2]) as never)).toThrow(/E_SHAPE.*list/s);
    expect(() => concat([zeros([2, 3]), zeros([2, 4])])).toThrow(/E_SHAPE.*\[2, 3\] and \[2, 4\]/s);
    expect(() => concat([tensor(1), tensor(2)])).toThrow(/E_AXIS/);
    expect(() => stack([zeros([2]), zeros([3])])).toThrow(/E_SHAPE.*\[2\] and \[3\]/s);
    expect(() => split(zeros([5]), 2)).toThrow(/E_SHAPE.*5 entries.*2 equal pieces/s);
    expect(() => split(zeros([5]), [2, 2])).toThrow(/E_SHAPE.*\[5\].*\[2, 2\]/s);
    for (const bad of [-1, 0, 0.5, NaN, Infinity, 1e12])
      expect(() => split(zeros([5]), bad)).toThrow(/E_SHAPE/);
    expect(split(zeros([4, 2]), [1, 0, 3]).map((part) => sizeOf(part.shape))).toEqual([2, 0, 6]);
    expect(() => pad(zeros([2]), [[1, -1]])).toThrow(/E_SHAPE.*\[\[1, -1\]\]/s);
    expect(() => pad(zeros([2]), [])).toThrow(/E_SHAPE/);
  });
});
