import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernelSets, sizeOf, stridesOf, type Walk } from "../../../src/tensor/index.js";
import { expectSetsAgree, float32Array } from "./same-bits.js";

/** Part of an array of `size` elements: some entries of each axis, forwards or backwards, the axes in any order. */
interface Part {
  readonly walk: Walk;
  readonly size: number;
}

const lengths = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(16, 31, 64));

const parts: fc.Arbitrary<Part> = fc
  .array(fc.tuple(lengths, fc.integer({ min: 0, max: 2 }), fc.boolean()), { minLength: 1, maxLength: 5 })
  .filter((axes) => axes.reduce((size, [length]) => size * length, 1) <= 20_000)
  .chain((axes) => {
    const shape = axes.map(([length]) => length);
    const strides = stridesOf(shape);
    let offset = 0;
    const walked = axes.map(([length, kind, back], axis) => {
      const taken = kind === 0 ? length : Math.ceil(length / kind);
      if (back) offset += (taken - 1) * Math.max(kind, 1) * strides[axis]!;
      return { taken, step: (back ? -1 : 1) * Math.max(kind, 1) * strides[axis]! };
    });
    return fc.shuffledSubarray([...walked.keys()], { minLength: walked.length }).map((order) => ({
      walk: {
        offset,
        dims: order.map((axis) => walked[axis]!.taken),
        strides: order.map((axis) => walked[axis]!.step),
      },
      size: sizeOf(shape),
    }));
  });

/** A batch of matrices, each walked across: what the fast kernels move in blocks of four by four. */
const across: fc.Arbitrary<Part> = fc
  .record({
    batch: fc.integer({ min: 1, max: 3 }),
    rows: fc.integer({ min: 1, max: 40 }),
    columns: fc.integer({ min: 1, max: 40 }),
    offset: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ batch, rows, columns, offset }) => ({
    walk: { offset, dims: [batch, columns, rows], strides: [rows * columns, 1, columns] },
    size: batch * rows * columns + offset,
  }));

/** Every position of a walk, in order. */
function positions({ offset, dims, strides }: Walk): number[] {
  return dims.reduce<number[]>(
    (all, length, axis) => all.flatMap((at) => Array.from({ length }, (_, i) => at + i * strides[axis]!)),
    [offset],
  );
}

const withElements = fc
  .oneof(parts, across)
  .chain((part) => fc.record({ part: fc.constant(part), whole: float32Array(part.size) }));

describe("walks", () => {
  it("pack: both sets give the same bits", () => {
    fc.assert(
      fc.property(withElements, fc.boolean(), ({ part: { walk }, whole }, repeats) => {
        const dims = repeats ? [3, ...walk.dims, 5] : walk.dims;
        const strides = repeats ? [0, ...walk.strides, 0] : walk.strides;
        expectSetsAgree([whole], [sizeOf(dims)], (kernels, [x], [out]) =>
          kernels.pack({ offset: walk.offset, dims, strides }, x!, out!),
        );
      }),
    );
  });

  it("unpack: both sets give the same bits, and leave what they do not reach", () => {
    fc.assert(
      fc.property(withElements, ({ part: { walk }, whole }) => {
        expectSetsAgree(
          [whole.slice(0, sizeOf(walk.dims)), whole],
          [whole.length],
          (kernels, [x, before], [out]) => {
            out!.set(before!);
            kernels.unpack(walk, x!, out!);
          },
        );
      }),
    );
  });

  it("go where the strides say", () => {
    const reference = kernelSets.get("reference")!;
    fc.assert(
      fc.property(parts, ({ walk, size }) => {
        const whole = Int32Array.from({ length: size }, (_, at) => at);
        const out = new Int32Array(sizeOf(walk.dims));
        reference.pack(walk, whole, out);
        expect([...out]).toEqual(positions(walk));
        const back = new Int32Array(size).fill(-1);
        reference.unpack(walk, out, back);
        positions(walk).forEach((at) => expect(back[at]).toBe(at));
        expect(back.filter((at) => at >= 0).length).toBe(out.length);
      }),
    );
  });
});
