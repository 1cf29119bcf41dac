import {
  isFloating,
  kernels,
  NDArray,
  normalizeAxis,
  reserve,
  type Floats,
  type ScanOp,
} from "../../tensor/index.js";
import { counted, type TensorLike } from "../operands.js";
import { onesLike } from "../create.js";
import { op, type Op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";
import { alongAxes } from "./along-axes.js";
import { integerScan } from "./integer-fold.js";

export interface OneAxis {
  readonly axis: number;
}

function scanForward(name: ScanOp, x: NDArray, axis: number): NDArray {
  const { data, along } = alongAxes(x, [axis]);
  if (!isFloating(x.dtype)) return new NDArray(x.shape, "int32", integerScan(name, along, data));
  const out = reserve(x.dtype, x.size);
  kernels().scan(name, along, data as Floats, out);
  return new NDArray(x.shape, x.dtype, out);
}

/** yᵢ = Σ_{j≤i} xⱼ: ∂xᵢ = Σ_{j≥i} gⱼ */
const cumsumOp = op<OneAxis>({
  name: "cumsum",
  forward: ([x], { axis }) => scanForward("sum", x!, axis),
  vjp: ({ cotangent: g, attributes: { axis } }) => [g.flip([axis]).cumsum(axis).flip([axis])],
});

/**
 * yᵢ = Π_{j≤i} xⱼ: ∂xᵢ = Σ_{j≥i} gⱼ·Π_{k≤j, k≠i} xₖ. Computed from the right: with r_i = g_i + x_{i+1}·r_{i+1},
 * ∂xᵢ = (Π_{k<i} xₖ)·rᵢ, so that nothing is divided and zeros are right.
 */
const cumprodOp = op<OneAxis>({
  name: "cumprod",
  forward: ([x], { axis }) => scanForward("prod", x!, axis),
  vjp: ({ cotangent: g, inputs, attributes: { axis } }) => {
    const x = inputs[0]!;
    const length = x.shape[axis]!;
    if (length === 0) return [g];
    const part = (t: Tensor, at: number): Tensor =>
      t.slice(t.shape.map((_, i) => (i === axis ? [at, at + 1] : null)));
    const before: Tensor[] = [];
    let running = onesLike(part(x, 0));
    for (let i = 0; i < length; i++) {
      before.push(running);
      running = running.mul(part(x, i));
    }
    const parts = new Array<Tensor>(length);
    let rest = part(g, length - 1);
    for (let i = length - 1; i >= 0; i--) {
      if (i < length - 1) rest = part(g, i).add(rest.scale(part(x, i + 1)));
      parts[i] = rest.scale(before[i]!);
    }
    return [parts[0]!.concatWith(parts.slice(1), axis)];
  },
});

export const scans = { cumsum: cumsumOp, cumprod: cumprodOp };

function scan(operation: Op<OneAxis>, x: TensorLike, axis: number): Tensor {
  const input = counted(x);
  return apply(operation, [input], { axis: normalizeAxis(operation.name, axis, input.rank) });
}

/** The running sum along an axis; bool gives int32. */
export function cumsum(x: TensorLike, axis: number): Tensor {
  return scan(scans.cumsum, x, axis);
}

/** The running product along an axis; the gradient is right with zeros among the factors. */
export function cumprod(x: TensorLike, axis: number): Tensor {
  return scan(scans.cumprod, x, axis);
}
