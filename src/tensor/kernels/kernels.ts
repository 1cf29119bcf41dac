import type { Floats } from "../dtype.js";
import type { Layout } from "../layout.js";

/** Functions of one number. */
export type UnaryOp =
  | "neg"
  | "abs"
  | "sign"
  | "sqrt"
  | "square"
  | "reciprocal"
  | "exp"
  | "log"
  | "log1p"
  | "expm1"
  | "sin"
  | "cos"
  | "tanh"
  | "sigmoid"
  | "relu"
  | "softplus"
  | "erf"
  | "gelu"
  | "geluTanh";

/** Functions of two numbers. `scale` is a·b, but 0 wherever a is 0, whatever b is. */
export type BinaryOp = "add" | "sub" | "mul" | "div" | "pow" | "maximum" | "minimum" | "scale";

/** Reductions of a list to one number. */
export type ReduceOp = "sum" | "prod" | "max" | "min";

/** Running reductions along a list. */
export type ScanOp = "sum" | "prod";

/** An array read as `[outer, length, inner]`, to be reduced or scanned along the middle axis. */
export interface Along {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
}

/** A batch of products: out[b] = A[b]·B[b] with A `[m, k]`, B `[k, n]`, either stored transposed. */
export interface ProductLayout {
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** A is stored as `[k, m]`. */
  readonly transposeA: boolean;
  /** B is stored as `[n, k]`. */
  readonly transposeB: boolean;
  /** For each product the offset of its A and of its B, in elements; out is contiguous. */
  readonly offsetsA: Int32Array;
  readonly offsetsB: Int32Array;
}

/**
 * The arithmetic of the framework on plain typed arrays. There is one set that is meant to be read (`reference`), and
 * room for faster ones that give the same bits in float32. All arrays of a call have the same element type, outputs
 * are allocated by the caller, inputs are never written.
 */
export interface Kernels {
  readonly name: string;
  /** out[i] = op(x[i]) */
  unary(op: UnaryOp, x: Floats, out: Floats): void;
  /** out = op(a, b) with broadcasting. */
  binary(op: BinaryOp, layout: Layout, a: Floats, b: Floats, out: Floats): void;
  /** Reduces along the middle axis; an empty sum is 0, an empty product 1, an empty max or min is the caller's error. */
  reduce(op: ReduceOp, along: Along, x: Floats, out: Floats): void;
  /** Running sum or product along the middle axis. */
  scan(op: ScanOp, along: Along, x: Floats, out: Floats): void;
  /** Matrix products. */
  product(layout: ProductLayout, a: Floats, b: Floats, out: Floats): void;
  /** Softmax of each row of `length`: e^{x−max}/Σe^{x−max}; a row of −∞ gives zeros. */
  softmax(length: number, x: Floats, out: Floats): void;
  /** Log-softmax of each row: x − logsumexp(x). */
  logSoftmax(length: number, x: Floats, out: Floats): void;
  /** Log of the sum of exponentials of each row; −∞ for a row of −∞. */
  logSumExp(length: number, x: Floats, out: Floats): void;
  /** (x − mean)/√(var + eps) of each row, with the two-pass variance; `scale` receives 1/√(var + eps) of each row. */
  normalizeRows(length: number, eps: number, x: Floats, out: Floats, scale: Floats): void;
  /** One step of Adam on a flat parameter; `m` and `v` are its moments. All four arrays of parameters are written. */
  adam(step: AdamStep, parameter: Floats, gradient: Floats, m: Floats, v: Floats): void;
}

/** The constants of one step of Adam: p ← p·decay − size·m/(√v·scale + eps). */
export interface AdamStep {
  readonly beta1: number;
  readonly beta2: number;
  readonly eps: number;
  /** lr/(1 − β₁ᵗ) */
  readonly size: number;
  /** 1/√(1 − β₂ᵗ) */
  readonly rootScale: number;
  /** Decoupled decay 1 − lr·λ, 1 for plain Adam. */
  readonly decay: number;
  /** Coupled L2 penalty added to the gradient, 0 for AdamW. */
  readonly penalty: number;
}
