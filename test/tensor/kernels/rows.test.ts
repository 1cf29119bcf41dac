import fc from "fast-check";
import { describe, it } from "vitest";
import { expectSetsAgree, float32Array, lengths } from "./same-bits.js";

/** Matrices `[rows, length]`; what reads one also gets a second of that shape. */
const matrices = lengths.chain((length) =>
  fc.integer({ min: 0, max: length > 100 ? 3 : 12 }).chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      length: fc.constant(Math.max(length, 1)),
      x: float32Array(rows * Math.max(length, 1)),
      y: float32Array(rows * Math.max(length, 1)),
      scale: float32Array(rows),
    }),
  ),
);

/** Rows that hold one value throughout, which decides what becomes of the largest. */
const constants = [0, -0, -Infinity, Infinity, NaN, 80, -3e38];

/** The same spread over the range of exp, with some rows masked, or of one value but for the last entry. */
const withMasks = matrices.chain((matrix) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom(...constants), fc.boolean()), { maxLength: matrix.rows }),
      fc.constantFrom(1, 13, 14, 25, 60),
    )
    .map(([masked, spread]) => {
      const x = matrix.x.map((value) => value * spread);
      masked.forEach(([value, whole], row) => {
        const end = (row + 1) * matrix.length;
        x.fill(value, row * matrix.length, whole ? end : end - 1);
      });
      return { ...matrix, x };
    }),
);

describe("kernels of rows: both sets give the same bits", () => {
  it.each(["softmax", "logSoftmax"] as const)("%s", (name) => {
    fc.assert(
      fc.property(withMasks, ({ length, x }) => {
        expectSetsAgree([x], [x.length], (kernels, [p], [out]) => kernels[name](length, p!, out!));
      }),
    );
  });

  it.each(["softmax", "logSoftmax"] as const)("%s of many rows", (name) => {
    const x = Float32Array.from({ length: 1001 * 37 }, (_, i) => 9 * Math.sin(i));
    expectSetsAgree([x], [x.length], (kernels, [p], [out]) => kernels[name](37, p!, out!));
  });

  it("logSumExp", () => {
    fc.assert(
      fc.property(withMasks, ({ rows, length, x }) => {
        expectSetsAgree([x], [rows], (kernels, [p], [out]) => kernels.logSumExp(length, p!, out!));
      }),
    );
  });

  it.each(["softmaxBackward", "logSoftmaxBackward"] as const)("%s", (name) => {
    fc.assert(
      fc.property(withMasks, ({ length, x, y }) => {
        expectSetsAgree([x, y], [x.length], (kernels, [p, g], [out]) => kernels[name](length, p!, g!, out!));
      }),
    );
  });

  it("norm", () => {
    fc.assert(
      fc.property(matrices, ({ rows, length, x }) => {
        expectSetsAgree([x], [rows], (kernels, [p], [out]) => kernels.norm(length, p!, out!));
      }),
    );
  });

  it("norm of empty rows", () => {
    expectSetsAgree([new Float32Array(0)], [50], (kernels, [p], [out]) => kernels.norm(0, p!, out!));
  });

  it("normalizeRows", () => {
    fc.assert(
      fc.property(matrices, fc.constantFrom(0, 1e-5, 1), ({ rows, length, x }, eps) => {
        expectSetsAgree([x], [x.length, rows], (kernels, [p], [out, scale]) =>
          kernels.normalizeRows(length, eps, p!, out!, scale!),
        );
      }),
    );
  });

  it("normalizeRowsBackward", () => {
    fc.assert(
      fc.property(matrices, ({ length, x, y, scale }) => {
        expectSetsAgree([x, scale, y], [x.length], (kernels, [p, s, g], [out]) =>
          kernels.normalizeRowsBackward(length, p!, s!, g!, out!),
        );
      }),
    );
  });

  it("layerNorm", () => {
    fc.assert(
      fc.property(matrices, fc.constantFrom(0, 1e-5), ({ rows, length, x, y }, eps) => {
        const row = (from: number): Float32Array => Float32Array.from({ length }, (_, i) => y[i + from] ?? 1);
        expectSetsAgree(
          [x, row(0), row(length)],
          [x.length, x.length, rows],
          (kernels, [p, weight, bias], [out, normal, scale]) =>
            kernels.layerNorm(length, eps, {
              x: p!,
              weight: weight!,
              bias: bias!,
              out: out!,
              normal: normal!,
              scale: scale!,
            }),
        );
      }),
    );
  });

  it("layerNormBackward", () => {
    fc.assert(
      fc.property(matrices, ({ length, x, y, scale }) => {
        const weight = Float32Array.from({ length }, (_, i) => x[i] ?? 1);
        expectSetsAgree(
          [x, y, scale, weight],
          [x.length, x.length],
          (kernels, [g, normal, s, w], [dx, weighted]) =>
            kernels.layerNormBackward(length, {
              g: g!,
              normal: normal!,
              scale: s!,
              weight: w!,
              dx: dx!,
              weighted: weighted!,
            }),
        );
      }),
    );
  });
});
