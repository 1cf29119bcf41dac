import fc from "fast-check";
import { describe, it } from "vitest";
import { gradients as gradientsOf, tensor, type Tensor } from "../../../src/autograd/index.js";
import type { UnaryBackwardOp, UnaryOp } from "../../../src/tensor/index.js";
import { float32Grid, neighbours } from "../math/float32-grid.js";
import { expectSameBits, expectSetsAgree, float32Array, lengths } from "./same-bits.js";

const ops: UnaryOp[] = [
  "neg",
  "abs",
  "sign",
  "sqrt",
  "square",
  "reciprocal",
  "exp",
  "log",
  "log1p",
  "expm1",
  "sin",
  "cos",
  "tanh",
  "sigmoid",
  "relu",
  "softplus",
  "erf",
  "gelu",
  "geluTanh",
  "geluSlope",
  "geluTanhSlope",
];

const gradients: UnaryBackwardOp[] = ["tanh", "sigmoid", "relu", "softplus", "gelu", "geluTanh"];

/** Where functions change form, saturate, overflow, or become subnormal. */
const edges = [
  0,
  1,
  0.26,
  0.3466,
  Math.SQRT1_2,
  Math.SQRT2,
  0.46875,
  9.0625,
  10.03125,
  13.28125,
  17.5,
  20,
  87.34,
  88.7228,
  89,
  103.9721,
  104,
  Math.PI / 2,
  2 ** 20,
  1e20,
  2 ** -126,
  2 ** -149,
  3.4028234663852886e38,
];
const special = [0, -0, Infinity, -Infinity, NaN];

/** The whole range, and the neighbours of every edge on both sides of zero. */
const everywhere = Float32Array.from([
  ...special,
  ...float32Grid(98_317),
  ...neighbours([...edges, ...edges.map((x) => -x)], 60),
]);

/** Every float32 number of 9 significant bits, where products meet ties. */
const roundNumbers = new Float32Array(Uint32Array.from({ length: 2 ** 17 }, (_, i) => i << 15).buffer);

describe("unary kernels", () => {
  it.each(ops)("%s: both sets give the same bits at round numbers", (op) => {
    expectSetsAgree([roundNumbers], [roundNumbers.length], (kernels, [x], [out]) =>
      kernels.unary(op, x!, out!),
    );
  });

  it.each(ops)("%s: both sets give the same bits over the whole range", (op) => {
    expectSetsAgree([everywhere], [everywhere.length], (kernels, [x], [out]) => kernels.unary(op, x!, out!));
  });

  it.each(ops)("%s: both sets give the same bits for any length", (op) => {
    fc.assert(
      fc.property(lengths.chain(float32Array), (x) => {
        expectSetsAgree([x], [x.length], (kernels, [y], [out]) => kernels.unary(op, y!, out!));
      }),
    );
  });
});

describe("gradients of unary kernels", () => {
  it.each(gradients)("%s: both sets give the same bits at round numbers", (op) => {
    const g = new Float32Array(roundNumbers.length).fill(1);
    expectSetsAgree([g, roundNumbers], [g.length], (kernels, [y, x], [out]) =>
      kernels.unaryBackward(op, y!, x!, out!),
    );
  });

  it.each(gradients)("%s: both sets give the same bits over the whole range", (op) => {
    for (const cotangent of [0, 1, -2.5]) {
      const g = new Float32Array(everywhere.length).fill(cotangent);
      expectSetsAgree([g, everywhere], [g.length], (kernels, [y, x], [out]) =>
        kernels.unaryBackward(op, y!, x!, out!),
      );
    }
  });

  it.each(gradients)("%s: both sets give the same bits for any length", (op) => {
    const pairs = lengths.chain((n) => fc.tuple(float32Array(n), float32Array(n)));
    fc.assert(
      fc.property(pairs, ([g, x]) => {
        expectSetsAgree([g, x], [x.length], (kernels, [y, at], [out]) =>
          kernels.unaryBackward(op, y!, at!, out!),
        );
      }),
    );
  });

  const functions: Record<UnaryBackwardOp, (x: Tensor) => Tensor> = {
    tanh: (x) => x.tanh(),
    sigmoid: (x) => x.sigmoid(),
    relu: (x) => x.relu(),
    softplus: (x) => x.softplus(),
    gelu: (x) => x.gelu(),
    geluTanh: (x) => x.gelu({ approximate: "tanh" }),
  };

  it.each(gradients)("%s: the kernel gives the bits of the composed rule", (op) => {
    const cotangents = [2.5, -1, 0, Infinity, 3e-39].map((g) => new Float32Array(everywhere.length).fill(g));
    for (const cotangent of cotangents) {
      const gradient = (createGraph: boolean): Float32Array => {
        const x = tensor(everywhere, { requiresGrad: true });
        const [found] = gradientsOf(functions[op](x), [x], { cotangents: [tensor(cotangent)], createGraph });
        return found!.values() as Float32Array;
      };
      expectSameBits(gradient(false), gradient(true), op);
    }
  });
});
