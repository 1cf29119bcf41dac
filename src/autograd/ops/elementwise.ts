import {
  allocate,
  convert,
  isFloating,
  kernels,
  NDArray,
  type Floats,
  type UnaryOp,
} from "../../tensor/index.js";
import { zerosLike } from "../create.js";
import { asTensor, type TensorLike } from "../operands.js";
import { op, type Op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";

function unaryForward(name: UnaryOp, x: NDArray): NDArray {
  const floating = isFloating(x.dtype) ? x : convert(x, "float32");
  const out = allocate(floating.dtype as "float32", x.size);
  kernels().unary(name, floating.data as Floats, out);
  return new NDArray(x.shape, floating.dtype, out);
}

/** −x, |x|, sign and square of int32 and bool give int32; everything else makes them float32. */
function integerOr(name: UnaryOp, x: NDArray, f: (x: number) => number): NDArray {
  if (isFloating(x.dtype)) return unaryForward(name, x);
  const out = new Int32Array(x.size);
  for (let i = 0; i < out.length; i++) out[i] = f(x.data[i]!);
  return new NDArray(x.shape, "int32", out);
}

/** An operation whose derivative f′ is given from x and y = f(x): ∂x = g·f′. */
function unary(name: UnaryOp, derivative: (x: Tensor, y: Tensor) => Tensor): Op {
  return op({
    name,
    forward: ([x]) => unaryForward(name, x!),
    vjp: ({ cotangent: g, inputs: [x], output: y }) => [g.scale(derivative(x!, y))],
  });
}

const twoOverRootPi = 2 / Math.sqrt(Math.PI);
const oneOverRootTwoPi = 1 / Math.sqrt(2 * Math.PI);
const twiceRootTwoOverPi = 2 * Math.sqrt(2 / Math.PI);

export const elementwise = {
  neg: op({
    name: "neg",
    forward: ([x]) => integerOr("neg", x!, (v) => -v),
    vjp: ({ cotangent: g }) => [g.neg()],
  }),
  abs: op({
    name: "abs",
    forward: ([x]) => integerOr("abs", x!, Math.abs),
    vjp: ({ cotangent: g, inputs: [x] }) => [g.scale(x!.sign())],
  }),
  /** Piecewise constant: the cotangent is 0 everywhere, at the jump too. */
  sign: op({
    name: "sign",
    forward: ([x]) => integerOr("sign", x!, Math.sign),
    vjp: ({ inputs: [x] }) => [zerosLike(x!)],
  }),
  square: op({
    name: "square",
    forward: ([x]) => integerOr("square", x!, (v) => Math.imul(v, v)),
    vjp: ({ cotangent: g, inputs: [x] }) => [g.scale(x!.mul(2))],
  }),
  sqrt: unary("sqrt", (_, y) => y.mul(2).reciprocal()),
  reciprocal: unary("reciprocal", (_, y) => y.square().neg()),
  exp: unary("exp", (_, y) => y),
  log: unary("log", (x) => x.reciprocal()),
  log1p: unary("log1p", (x) => x.add(1).reciprocal()),
  expm1: unary("expm1", (_, y) => y.add(1)),
  sin: unary("sin", (x) => x.cos()),
  cos: unary("cos", (x) => x.sin().neg()),
  tanh: unary("tanh", (_, y) => y.square().neg().add(1)),
  sigmoid: unary("sigmoid", (_, y) => y.mul(y.neg().add(1))),
  /** A choice, not a product: below 0 the cotangent is 0 even where it came in infinite. */
  relu: op({
    name: "relu",
    forward: ([x]) => unaryForward("relu", x!),
    vjp: ({ cotangent: g, inputs: [x] }) => [g.where(x!.lessEqual(0).logicalNot(), 0)],
  }),
  softplus: unary("softplus", (x) => x.sigmoid()),
  erf: unary("erf", (x) => x.square().neg().exp().mul(twoOverRootPi)),
  /** x·Φ(x): Φ(x) + x·φ(x) */
  gelu: unary("gelu", (x) => {
    const density = x.square().mul(-0.5).exp().mul(oneOverRootTwoPi);
    return standardNormalCdf(x).add(density.scale(x));
  }),
  /** ½x(1 + tanh u) = x·σ(z), z = 2u = 2√(2/π)(x + 0.044715x³): σ(z) + x·z′·σ(z)·σ(−z), without the loss of 1 − tanh². */
  geluTanh: unary("geluTanh", (x) => {
    const square = x.square();
    const z = x.mul(square.mul(0.044715).add(1)).mul(twiceRootTwoOverPi);
    const slope = square
      .mul(3 * 0.044715)
      .add(1)
      .mul(twiceRootTwoOverPi);
    const s = z.sigmoid();
    return s.add(s.mul(z.neg().sigmoid()).scale(x.mul(slope)));
  }),
};

/**
 * Φ(x) = ½·erfc(−x/√2), as gelu(x)/x away from 0 and by erf near it: gelu is accurate in the far left tail, where
 * 1 + erf cancels.
 */
function standardNormalCdf(x: Tensor): Tensor {
  const near = x.greater(-1);
  const byErf = x.mul(Math.SQRT1_2).erf().add(1).mul(0.5);
  const far = x.where(near.logicalNot(), -2);
  return byErf.where(near, gelu(far).div(far));
}

const run = (operation: Op, x: TensorLike): Tensor => apply(operation, [asTensor(x)], undefined);

/** −x */
export function neg(x: TensorLike): Tensor {
  return run(elementwise.neg, x);
}

/** |x|; the derivative at 0 is 0. */
export function abs(x: TensorLike): Tensor {
  return run(elementwise.abs, x);
}

/** −1, 0 or 1; the derivative is 0. */
export function sign(x: TensorLike): Tensor {
  return run(elementwise.sign, x);
}

/** x² */
export function square(x: TensorLike): Tensor {
  return run(elementwise.square, x);
}

/** √x; NaN for a negative x. */
export function sqrt(x: TensorLike): Tensor {
  return run(elementwise.sqrt, x);
}

/** 1/x */
export function reciprocal(x: TensorLike): Tensor {
  return run(elementwise.reciprocal, x);
}

/** eˣ */
export function exp(x: TensorLike): Tensor {
  return run(elementwise.exp, x);
}

/** ln x */
export function log(x: TensorLike): Tensor {
  return run(elementwise.log, x);
}

/** ln(1 + x), accurate near 0. */
export function log1p(x: TensorLike): Tensor {
  return run(elementwise.log1p, x);
}

/** eˣ − 1, accurate near 0. */
export function expm1(x: TensorLike): Tensor {
  return run(elementwise.expm1, x);
}

/** sin x, x in radians. */
export function sin(x: TensorLike): Tensor {
  return run(elementwise.sin, x);
}

/** cos x, x in radians. */
export function cos(x: TensorLike): Tensor {
  return run(elementwise.cos, x);
}

/** tanh x */
export function tanh(x: TensorLike): Tensor {
  return run(elementwise.tanh, x);
}

/** 1/(1 + e⁻ˣ) */
export function sigmoid(x: TensorLike): Tensor {
  return run(elementwise.sigmoid, x);
}

/** max(x, 0); the derivative at 0 is 0. */
export function relu(x: TensorLike): Tensor {
  return run(elementwise.relu, x);
}

/** ln(1 + eˣ) */
export function softplus(x: TensorLike): Tensor {
  return run(elementwise.softplus, x);
}

/** The error function 2/√π·∫₀ˣ e^{−t²}dt. */
export function erf(x: TensorLike): Tensor {
  return run(elementwise.erf, x);
}

/** GELU (Hendrycks & Gimpel, arXiv 1606.08415): x·Φ(x), or its tanh approximation. */
export function gelu(x: TensorLike, options: { readonly approximate?: "none" | "tanh" } = {}): Tensor {
  return run(options.approximate === "tanh" ? elementwise.geluTanh : elementwise.gelu, x);
}
