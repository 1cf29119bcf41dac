import { checkedOptions, fail, formatGiven } from "../../errors/index.js";
import {
  convert,
  isFloating,
  kernels,
  NDArray,
  reserve,
  type Floats,
  type UnaryBackwardOp,
  type UnaryOp,
} from "../../tensor/index.js";
import { zerosLike } from "../create.js";
import { asTensor, type TensorLike } from "../operands.js";
import { op, type Op } from "../op.js";
import { apply, isRecording } from "../record.js";
import { Tensor } from "../tensor.js";

function unaryForward(name: UnaryOp, x: NDArray): NDArray {
  const floating = isFloating(x.dtype) ? x : convert(x, "float32");
  const out = reserve(floating.dtype as "float32", x.size);
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

/**
 * As {@link unary}, with a kernel for the gradient, which reads x, or y where `reads` says so. Where the gradient is itself
 * recorded it is composed of operations, which gives the same bits.
 */
function unaryWithKernel(
  name: UnaryBackwardOp,
  reads: "x" | "y",
  composed: (g: Tensor, x: Tensor, y: Tensor) => Tensor,
): Op {
  return op({
    name,
    forward: ([x]) => unaryForward(name, x!),
    vjp: ({ cotangent: g, inputs: [x], output: y }) => {
      const at = reads === "x" ? x! : y;
      if (isRecording() || g.dtype !== at.dtype) return [composed(g, x!, y)];
      const out = reserve(g.dtype as "float32", g.size);
      kernels().unaryBackward(name, g.array.data as Floats, at.array.data as Floats, out);
      return [new Tensor(new NDArray(g.shape, g.dtype, out))];
    },
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
  tanh: unaryWithKernel("tanh", "y", (g, _, y) => g.scale(y.square().neg().add(1))),
  sigmoid: unaryWithKernel("sigmoid", "y", (g, _, y) => g.scale(y.mul(y.neg().add(1)))),
  /** A choice, not a product: below 0 the cotangent is 0 even where it came in infinite. */
  relu: unaryWithKernel("relu", "x", (g, x) => g.where(x.lessEqual(0).logicalNot(), 0)),
  softplus: unaryWithKernel("softplus", "x", (g, x) => g.scale(x.sigmoid())),
  erf: unary("erf", (x) => x.square().neg().exp().mul(twoOverRootPi)),
  gelu: unaryWithKernel("gelu", "x", (g, x) => g.scale(run(geluSlope, x))),
  geluTanh: unaryWithKernel("geluTanh", "x", (g, x) => g.scale(run(geluTanhSlope, x))),
};

/** The derivative of x·Φ(x), Φ(x) + x·φ(x), and its own: (2 − x²)·φ(x). */
const geluSlope = unary("geluSlope", (x) => {
  const square = x.square();
  return square.mul(-0.5).exp().mul(oneOverRootTwoPi).scale(square.neg().add(2));
});

/**
 * The derivative of ½x(1 + tanh u) = x·σ(z), z = 2u = 2√(2/π)(x + 0.044715x³): σ(z) + x·z′·p with p = σ(z)·σ(−z), and its own:
 * p·(2z′ + x·z″ + x·z′²·(σ(−z) − σ(z))).
 */
const geluTanhSlope = unary("geluTanhSlope", (x) => {
  const square = x.square();
  const z = x.mul(square.mul(0.044715).add(1)).mul(twiceRootTwoOverPi);
  const rise = square
    .mul(3 * 0.044715)
    .add(1)
    .mul(twiceRootTwoOverPi);
  const bend = square.mul(6 * 0.044715 * twiceRootTwoOverPi);
  const [right, left] = [z.sigmoid(), z.neg().sigmoid()];
  const turn = left.sub(right).mul(x.mul(rise).mul(rise));
  return right.mul(left).scale(rise.mul(2).add(bend).add(turn));
});

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

/** GELU (Hendrycks & Gimpel, arXiv 1606.08415): x·Φ(x), or its tanh approximation. Throws `E_VALUE` for another name. */
export function gelu(x: TensorLike, options: { readonly approximate?: "none" | "tanh" } = {}): Tensor {
  checkedOptions("gelu", options);
  const { approximate = "none" } = options;
  if (approximate !== "none" && approximate !== "tanh") {
    fail("E_VALUE", `gelu: expected approximate "none" or "tanh", got ${formatGiven(approximate)}`);
  }
  return run(approximate === "tanh" ? elementwise.geluTanh : elementwise.gelu, x);
}
