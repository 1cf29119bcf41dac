import fc from "fast-check";
import { describe, it } from "vitest";
import type { Along, ReduceOp, ScanOp } from "../../../src/tensor/index.js";
import { expectSetsAgree, float32Array, lengths } from "./same-bits.js";

const reduceOps: ReduceOp[] = ["sum", "prod", "max", "min"];
const scanOps: ScanOp[] = ["sum", "prod"];

/** `[outer, length, inner]`: lists, few and many columns, more rows than lanes, more than a block. */
const walks = fc.oneof(
  fc.record({ outer: fc.integer({ min: 0, max: 9 }), length: lengths, inner: fc.constant(1) }),
  fc.record({
    outer: fc.integer({ min: 0, max: 3 }),
    length: fc.integer({ min: 0, max: 70 }),
    inner: fc.integer({ min: 0, max: 70 }),
  }),
  fc.record({
    outer: fc.constant(1),
    length: fc.constantFrom(4096, 4097, 9001, 13000),
    inner: fc.constantFrom(2, 3, 5, 21),
  }),
);

const sizeOf = ({ outer, length, inner }: Along): number => outer * length * inner;

const cases = walks.chain((along) =>
  fc.record({ along: fc.constant(along), x: float32Array(sizeOf(along)) }),
);

describe("reduce kernels", () => {
  it.each(reduceOps)("%s: both sets give the same bits", (op) => {
    fc.assert(
      fc.property(cases, ({ along, x }) => {
        expectSetsAgree([x], [along.outer * along.inner], (kernels, [p], [out]) =>
          kernels.reduce(op, along, p!, out!),
        );
      }),
    );
  });
});

describe("reduce kernels, elements of one sign", () => {
  it.each(["max", "min"] as const)("%s: what fills up a tail never wins", (op) => {
    for (let length = 1; length <= 40; length++) {
      for (const inner of [1, 3, 21]) {
        const along = { outer: 33, length, inner };
        const sign = op === "max" ? -1 : 1;
        const x = Float32Array.from({ length: sizeOf(along) }, (_, i) => sign * (1 + (i % 7)));
        expectSetsAgree([x], [along.outer * inner], (kernels, [p], [out]) =>
          kernels.reduce(op, along, p!, out!),
        );
      }
    }
  });
});

describe("scan kernels", () => {
  it.each(scanOps)("running %s: the first element keeps the sign of its 0", (op) => {
    const along = { outer: 9, length: 8, inner: 1 };
    expectSetsAgree([new Float32Array(72).fill(-0)], [72], (kernels, [x], [out]) =>
      kernels.scan(op, along, x!, out!),
    );
  });

  it.each(scanOps)("running %s: both sets give the same bits", (op) => {
    fc.assert(
      fc.property(cases, ({ along, x }) => {
        expectSetsAgree([x], [sizeOf(along)], (kernels, [p], [out]) => kernels.scan(op, along, p!, out!));
      }),
    );
  });
});
