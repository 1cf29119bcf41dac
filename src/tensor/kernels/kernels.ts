import type { Elements, Floats } from "../dtype.js";
import type { Layout } from "../layout.js";
import type { AttentionArrays, AttentionCotangents, AttentionLayout } from "./attention-layout.js";

/** Functions of one number; the slopes are the derivatives of the two forms of gelu. */
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
  | "geluTanh"
  | "geluSlope"
  | "geluTanhSlope";

/** Functions whose gradient has a kernel of its own; it reads the result y of tanh and sigmoid, of the others the argument x. */
export type UnaryBackwardOp = "tanh" | "sigmoid" | "relu" | "softplus" | "gelu" | "geluTanh";

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

/** A walk over part of an array: its element at [i, j, …] is that at offset + i·strides[0] + j·strides[1] + …. At least one axis. */
export interface Walk {
  readonly offset: number;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
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
  /** Adds the products to what out holds, instead of overwriting it. */
  readonly accumulate?: boolean;
  /** Adds the products to this row `[n]` in each row of out; not together with `accumulate`. */
  readonly row?: Floats;
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
  /**
   * out[i] = g[i]·f′, but 0 wherever g is 0; f′ is 1 − y² for tanh, y·(1 − y) for sigmoid, σ(x) for softplus and the slope for
   * gelu. For relu g where x > 0 or NaN, else 0.
   */
  unaryBackward(op: UnaryBackwardOp, g: Floats, of: Floats, out: Floats): void;
  /** out = op(a, b) with broadcasting. */
  binary(op: BinaryOp, layout: Layout, a: Floats, b: Floats, out: Floats): void;
  /** out[i, j, …] = x at the walk's [i, j, …]; `out` is contiguous. Elements of any type. */
  pack(walk: Walk, x: Elements, out: Elements): void;
  /** The reverse: `x` is contiguous, `out` is walked; what the walk does not reach stays. */
  unpack(walk: Walk, x: Elements, out: Elements): void;
  /** Reduces along the middle axis; an empty sum is 0, an empty product 1, an empty max or min is the caller's error. */
  reduce(op: ReduceOp, along: Along, x: Floats, out: Floats): void;
  /** Running sum or product along the middle axis. */
  scan(op: ScanOp, along: Along, x: Floats, out: Floats): void;
  /** Matrix products; out is overwritten, or added to. */
  product(layout: ProductLayout, a: Floats, b: Floats, out: Floats): void;
  /** Softmax of each row of `length`: e^{x−max}/Σe^{x−max}; a row of −∞ gives zeros. */
  softmax(length: number, x: Floats, out: Floats): void;
  /** Log-softmax of each row: x − logsumexp(x). */
  logSoftmax(length: number, x: Floats, out: Floats): void;
  /** Log of the sum of exponentials of each row; −∞ for a row of −∞. */
  logSumExp(length: number, x: Floats, out: Floats): void;
  /** √Σx² of each row, without overflow or underflow of the squares. */
  norm(length: number, x: Floats, out: Floats): void;
  /** (x − mean)/√(var + eps) of each row, with the two-pass variance; `scale` receives 1/√(var + eps) of each row. */
  normalizeRows(length: number, eps: number, x: Floats, out: Floats, scale: Floats): void;
  /** Gradient of {@link softmax} from its result y: out = g·y − y·Σ g·y of each row. */
  softmaxBackward(length: number, y: Floats, g: Floats, out: Floats): void;
  /** Gradient of {@link logSoftmax} from its result y: out = g − eʸ·Σ g of each row. */
  logSoftmaxBackward(length: number, y: Floats, g: Floats, out: Floats): void;
  /** Gradient of {@link normalizeRows} from its results: out = s·((g − mean(g)) − y·mean(g·y)) of each row. */
  normalizeRowsBackward(length: number, y: Floats, scale: Floats, g: Floats, out: Floats): void;
  /** out = softmax(q·kᵀ/√features)·v for several heads, and the weights when there is room for them. */
  attention(layout: AttentionLayout, arrays: AttentionArrays): void;
  /** The cotangents of q, k and v from that of the result, `g`, laid out as `out`. */
  attentionBackward(
    layout: AttentionLayout,
    arrays: AttentionArrays,
    g: Floats,
    cotangents: AttentionCotangents,
  ): void;
  /** Layer norm: {@link normalizeRows} with a gain and a bias for each column. */
  layerNorm(length: number, eps: number, arrays: LayerNormForward): void;
  /** Gradient of {@link layerNorm} in x; the weight's is the sum of the rows of `weighted`, the bias's that of the rows of g. */
  layerNormBackward(length: number, arrays: LayerNormBackward): void;
  /** One step of Adam on a flat parameter; `m` and `v` are its moments. It writes the parameter and both moments. */
  adam(step: AdamStep, parameter: Floats, gradient: Floats, m: Floats, v: Floats): void;
  /** W_hh `[3·hidden, hidden]` of a GRU, made ready for the steps of one sequence. */
  gruWeight(hidden: number, weight: Floats): GruWeight;
  /** The steps of a GRU layer after the projection of its inputs. */
  gruForward(sizes: GruSizes, arrays: GruForward): void;
  /** The cotangents of what the steps of a GRU layer add up, from those of its hidden states. */
  gruBackward(sizes: GruSizes, arrays: GruBackward): void;
  /**
   * Fills `out` with the blocks, four words each, of Philox4x32-10 at `counter` and after it; `counter` is left at the next.
   * Every random stream draws from the set in use.
   */
  philoxBlocks(counter: Uint32Array, key: Uint32Array, out: Uint32Array): void;
}

/** Sizes of a GRU layer: `time` steps of `batch` rows, `hidden` units. */
export interface GruSizes {
  readonly time: number;
  readonly batch: number;
  readonly hidden: number;
}

/** The recurrent weight of a GRU, and what a set of kernels may have made of it: see `Kernels.gruWeight`. */
export interface GruWeight {
  readonly weight: Floats;
  readonly packed?: Float32Array;
}

/** What the steps of a GRU read and write; gates stand in the order r, z, n. */
export interface GruForward {
  readonly weight: GruWeight;
  /** b_ih and b_hh `[3·hidden]`; both or none. */
  readonly biasIh: Floats | undefined;
  readonly biasHh: Floats | undefined;
  /** `[time, batch, 3·hidden]`: x·W_ihᵀ at first, r, z and n at the end. */
  readonly gates: Floats;
  /** `[time, batch, hidden]`: the state before each step. The first is given, the others are written. */
  readonly before: Floats;
  /** Written, `[time, batch, hidden]`: the hidden part of n before the reset gate. */
  readonly inner: Floats;
  /** Written, `[batch, time, hidden]`: the state after each step. */
  readonly states: Floats;
}

/** What the way back through the steps of a GRU reads and writes. */
export interface GruBackward extends Pick<GruForward, "gates" | "before" | "inner"> {
  /** The cotangents of the states, `[batch, total, hidden]`; those of the `time` steps begin at `first`. */
  readonly cotangent: Floats;
  readonly first: number;
  readonly total: number;
  /** What the step after the last hands back to it, `[batch, hidden]`, if there is one. */
  readonly carry: Floats | undefined;
  /** W_hh `[3·hidden, hidden]` */
  readonly weight: Floats;
  /** Written, `[time, batch, 3·hidden]`: the cotangents of x·W_ihᵀ + b_ih and of h·W_hhᵀ + b_hh. */
  readonly inward: Floats;
  readonly onward: Floats;
  /** Written, `[batch, hidden]`: the cotangent of the first state before. Left out when it is not wanted. */
  readonly start: Floats | undefined;
}

/** Arrays of a layer norm; `out`, `normal` `[rows, length]` and `scale` `[rows]` are written. */
export interface LayerNormForward {
  readonly x: Floats;
  readonly weight: Floats;
  readonly bias: Floats;
  /** normal·weight + bias */
  readonly out: Floats;
  /** The normalized rows. */
  readonly normal: Floats;
  /** 1/√(var + eps) of each row. */
  readonly scale: Floats;
}

/** Arrays of its gradient; `dx` and `weighted` are written. */
export interface LayerNormBackward {
  readonly g: Floats;
  readonly normal: Floats;
  readonly scale: Floats;
  readonly weight: Floats;
  readonly dx: Floats;
  /** g·normal */
  readonly weighted: Floats;
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
