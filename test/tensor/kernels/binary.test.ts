import fc from "fast-check";
import { describe, it } from "vitest";
import { neighbours } from "../math/float32-grid.js";
import { broadcastLayout, broadcastShapes, sizeOf, type BinaryOp } from "../../../src/tensor/index.js";
import { expectSetsAgree, float32Array, lengths } from "./same-bits.js";

const ops: BinaryOp[] = ["add", "sub", "mul", "div", "pow", "maximum", "minimum", "scale"];

/** Shapes of two operands that broadcast. */
const pairs = lengths.chain((n) =>
  fc.constantFrom<[number[], number[]]>(
    [[n], [n]],
    [[n], [1]],
    [[1], [n]],
    [[3, n], [n]],
    [[n], [2, n]],
    [
      [7, n],
      [7, 1],
    ],
    [
      [7, 1],
      [7, n],
    ],
    [
      [n, 1],
      [1, 5],
    ],
    [
      [n, 3],
      [n, 1],
    ],
    [
      [2, n, 5],
      [n, 1],
    ],
  ),
);

describe("binary kernels", () => {
  it.each(ops)("%s: both sets give the same bits", (op) => {
    fc.assert(
      fc.property(
        pairs.chain(([a, b]) =>
          fc.record({
            a: fc.constant(a),
            b: fc.constant(b),
            x: float32Array(sizeOf(a)),
            y: float32Array(sizeOf(b)),
          }),
        ),
        ({ a, b, x, y }) => {
          const shape = broadcastShapes("test", a, b);
          expectSetsAgree([x, y], [sizeOf(shape)], (kernels, [p, q], [out]) =>
            kernels.binary(op, broadcastLayout(shape, a, b), p!, q!, out!),
          );
        },
      ),
    );
  });

  it.each(ops)("%s: both sets give the same bits for all pairs of special values", (op) => {
    const numbers = [
      0,
      0.5,
      1,
      2,
      3,
      2.5,
      150,
      2 ** -149,
      2 ** -126,
      2 ** 24,
      2 ** 24 - 1,
      3.4028234663852886e38,
    ];
    const values = Float32Array.from([...numbers, Infinity, NaN].flatMap((x) => [x, -x]));
    const near = Float32Array.from([...values, ...neighbours([1, 2 ** -126, 0.5, 128], 20)]);
    expectSetsAgree([near, values], [near.length * values.length], (kernels, [p, q], [out]) =>
      kernels.binary(
        op,
        broadcastLayout([near.length, values.length], [near.length, 1], [values.length]),
        p!,
        q!,
        out!,
      ),
    );
  });
});
