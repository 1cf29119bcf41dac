import { fail } from "../../errors/index.js";
import { allocate, kernels, NDArray, normalizeAxis, type Floats } from "../../tensor/index.js";
import { floated, type TensorLike } from "../operands.js";
import { op, type Op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";

function rows(name: "softmax" | "logSoftmax", x: NDArray): NDArray {
  const out = allocate(x.dtype as "float32", x.size);
  if (x.size > 0) kernels()[name](x.shape[x.rank - 1]!, x.data as Floats, out);
  return new NDArray(x.shape, x.dtype, out);
}

/** Softmax of the last axis: ∂x = y·(g − Σ g·y). */
const softmaxOp = op({
  name: "softmax",
  forward: ([x]) => rows("softmax", x!),
  vjp: ({ cotangent: g, output: y }) => {
    const weighted = g.mul(y);
    return [weighted.sub(y.mul(weighted.sum(-1, { keepDims: true })))];
  },
});

/** Log-softmax of the last axis: ∂x = g − eʸ·Σ g. */
const logSoftmaxOp = op({
  name: "logSoftmax",
  forward: ([x]) => rows("logSoftmax", x!),
  vjp: ({ cotangent: g, output: y }) => [g.sub(y.exp().mul(g.sum(-1, { keepDims: true })))],
});

export interface Normalization {
  readonly eps: number;
}

/** (x − mean)/√(var + eps) of the last axis: ∂x = s·(g − mean(g) − y·mean(g·y)) with s = 1/√(var + eps). */
const normalizeOp = op<Normalization>({
  name: "normalize",
  forward: ([x], { eps }) => {
    const length = x!.shape[x!.rank - 1]!;
    const dtype = x!.dtype as "float32";
    const out = allocate(dtype, x!.size);
    if (x!.size > 0)
      kernels().normalizeRows(length, eps, x!.data as Floats, out, allocate(dtype, x!.size / length));
    return new NDArray(x!.shape, dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [x], output: y, attributes: { eps } }) => {
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
  const eps = options.eps ?? 1e-5;
  if (!(eps >= 0)) fail("E_VALUE", `normalize: expected eps of at least 0, got ${eps}`);
  return alongAxis(normalizeOp, x, options.axis ?? -1, { eps });
}
