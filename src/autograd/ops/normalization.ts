import { checkedOptions, checkNumbers, fail } from "../../errors/index.js";
import {
  kernels,
  NDArray,
  normalizeAxis,
  reserve,
  type FloatDType,
  type Floats,
} from "../../tensor/index.js";
import { floated, type TensorLike } from "../operands.js";
import { op, type Op } from "../op.js";
import { apply, isRecording } from "../record.js";
import { Tensor } from "../tensor.js";

function rows(name: "softmax" | "logSoftmax", x: NDArray): NDArray {
  const out = reserve(x.dtype as FloatDType, x.size);
  if (x.size > 0) kernels()[name](lengthOf(x), x.data as Floats, out);
  return new NDArray(x.shape, x.dtype, out);
}

/** The length of the last axis. */
function lengthOf({ shape }: NDArray): number {
  return shape[shape.length - 1]!;
}

/** The cotangent of x from one kernel: for a backward pass that is not recorded itself. */
function fused(y: Tensor, kernel: (length: number, out: Floats) => void): Tensor[] {
  const { array } = y;
  const out = reserve(array.dtype as FloatDType, array.size);
  if (array.size > 0) kernel(lengthOf(array), out);
  return [new Tensor(new NDArray(array.shape, array.dtype, out))];
}

const floats = (x: Tensor): Floats => x.array.data as Floats;

/** Softmax of the last axis: ∂x = y·(g − Σ g·y). */
const softmaxOp = op({
  name: "softmax",
  forward: ([x]) => rows("softmax", x!),
  vjp: ({ cotangent: g, output: y }) => {
    if (!isRecording())
      return fused(y, (length, out) => kernels().softmaxBackward(length, floats(y), floats(g), out));
    const weighted = g.mul(y);
    return [weighted.sub(y.mul(weighted.sum(-1, { keepDims: true })))];
  },
});

/** Log-softmax of the last axis: ∂x = g − eʸ·Σ g. */
const logSoftmaxOp = op({
  name: "logSoftmax",
  forward: ([x]) => rows("logSoftmax", x!),
  vjp: ({ cotangent: g, output: y }) => {
    if (!isRecording())
      return fused(y, (length, out) => kernels().logSoftmaxBackward(length, floats(y), floats(g), out));
    return [g.sub(y.exp().mul(g.sum(-1, { keepDims: true })))];
  },
});

export interface Normalization {
  readonly eps: number;
  /** 1/√(var + eps) of each row, kept by the forward pass for the backward pass. */
  scale?: Floats;
}

/** (x − mean)/√(var + eps) of the last axis: ∂x = s·(g − mean(g) − y·mean(g·y)) with s = 1/√(var + eps). */
const normalizeOp = op<Normalization>({
  name: "normalize",
  forward: ([x], attributes) => {
    const dtype = x!.dtype as FloatDType;
    const out = reserve(dtype, x!.size);
    attributes.scale = reserve(dtype, x!.size > 0 ? x!.size / lengthOf(x!) : 0);
    if (x!.size > 0)
      kernels().normalizeRows(lengthOf(x!), attributes.eps, x!.data as Floats, out, attributes.scale);
    return new NDArray(x!.shape, dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], output: y, attributes: { eps, scale } }) => {
    if (!isRecording())
      return fused(y, (length, out) =>
        kernels().normalizeRowsBackward(length, floats(y), scale!, floats(g), out),
      );
    const factor = x!.variance(-1, { correction: 0, keepDims: true }).add(eps).sqrt().reciprocal();
    const mean = g.mean(-1, { keepDims: true });
    return [factor.mul(g.sub(mean).sub(y.mul(g.mul(y).mean(-1, { keepDims: true }))))];
  },
});

export const normalization = { softmax: softmaxOp, logSoftmax: logSoftmaxOp, normalize: normalizeOp };

/** Applies an operation on the last axis along another one. */
function alongAxis<A>(operation: Op<A>, x: TensorLike, axis: number, attributes: A): Tensor {
  const input = floated(x);
  const at = normalizeAxis(operation.name, axis, input.rank);
  if (at === input.rank - 1) return apply(operation, [input], attributes);
  return apply(operation, [input.transpose(at, -1)], attributes).transpose(at, -1);
}

/** eˣ/Σeˣ along an axis; a list of −∞ (everything masked) gives zeros. */
export function softmax(x: TensorLike, axis = -1): Tensor {
  return alongAxis(softmaxOp, x, axis, undefined);
}

/** ln(eˣ/Σeˣ) along an axis, without loss for huge logits. */
export function logSoftmax(x: TensorLike, axis = -1): Tensor {
  return alongAxis(logSoftmaxOp, x, axis, undefined);
}

/** (x − mean)/√(var + eps) along an axis, population variance: layer normalisation without its weights. Throws `E_VALUE`. */
export function normalize(
  x: TensorLike,
  options: { readonly axis?: number; readonly eps?: number } = {},
): Tensor {
  checkedOptions("normalize", options);
  const eps = options.eps ?? 1e-5;
  checkNumbers("normalize", { eps });
  if (!(eps >= 0)) fail("E_VALUE", `normalize: expected eps of at least 0, got ${eps}`);
  return alongAxis(normalizeOp, x, options.axis ?? -1, { eps });
}
