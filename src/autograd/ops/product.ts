import { checkedOptions, fail } from "../../errors/index.js";
import {
  areBroadcastable,
  broadcastShapes,
  broadcastStrides,
  convert,
  formatShape,
  kernels,
  NDArray,
  promote,
  reserve,
  sizeOf,
  stridedCopy,
  type Floats,
  type Shape,
} from "../../tensor/index.js";
import { asPair, type TensorLike } from "../operands.js";
import { op } from "../op.js";
import { apply } from "../record.js";
import type { Tensor } from "../tensor.js";

export interface Transposes {
  /** Use the transpose of the last two axes of A, which is not copied. */
  readonly transposeA: boolean;
  readonly transposeB: boolean;
}

/** The offsets of a single matrix. */
const alone = Int32Array.of(0);

/** The offset of each matrix of a stack, in elements, when the stack is broadcast to `batch`. */
function offsets(stack: Shape, batch: Shape, matrix: number): Int32Array {
  if (batch.length === 0) return alone;
  const own = new Int32Array(sizeOf(stack));
  for (let i = 1; i < own.length; i++) own[i] = i * matrix;
  const count = sizeOf(batch);
  if (own.length === count) return own;
  const out = new Int32Array(count);
  if (count > 0) stridedCopy(own, 0, batch, broadcastStrides(stack, batch), out);
  return out;
}

/** C = A·B over the last two axes, leading axes broadcast: ∂A = G·Bᵀ, ∂B = Aᵀ·G. */
const matmulOp = op<Transposes>({
  name: "matmul",
  flops: ([a], { size }, { transposeA }) => 2 * size * a!.shape.at(transposeA ? -2 : -1)!,
  forward: ([a, b], { transposeA, transposeB }) => {
    const dtype = promote(promote(a!.dtype, b!.dtype), "float32");
    const left = convert(a!, dtype);
    const right = convert(b!, dtype);
    const [m, k] = matrixShape(left.shape, transposeA);
    const [, n] = matrixShape(right.shape, transposeB);
    const stackA = left.shape.slice(0, -2);
    const stackB = right.shape.slice(0, -2);
    const batch = broadcastShapes("matmul", stackA, stackB);
    const out = reserve(dtype as "float32", sizeOf(batch) * m * n);
    const layout = {
      m,
      k,
      n,
      transposeA,
      transposeB,
      offsetsA: offsets(stackA, batch, m * k),
      offsetsB: offsets(stackB, batch, k * n),
    };
    if (out.length > 0) kernels().product(layout, left.data as Floats, right.data as Floats, out);
    return new NDArray([...batch, m, n], dtype, out);
  },
  vjp: ({ cotangent: g, inputs, attributes: { transposeA, transposeB }, needs }) => {
    const [a, b] = inputs as [Tensor, Tensor];
    const times = (x: Tensor, y: Tensor, tx: boolean, ty: boolean): Tensor =>
      apply(matmulOp, [x, y], { transposeA: tx, transposeB: ty });
    return [
      needs[0] ? (transposeA ? times(b, g, transposeB, true) : times(g, b, false, !transposeB)) : undefined,
      needs[1] ? (transposeB ? times(g, a, true, transposeA) : times(a, g, !transposeA, false)) : undefined,
    ];
  },
});

function matrixShape(shape: Shape, transposed: boolean): [number, number] {
  const [rows, columns] = shape.slice(-2) as [number, number];
  return transposed ? [columns, rows] : [rows, columns];
}

export const products = { matmul: matmulOp };

/** Throws `E_SHAPE` unless both have an axis, the inner sizes are equal and the leading axes broadcast. */
function checkFactors(a: Shape, b: Shape, { transposeA, transposeB }: Transposes): void {
  const named = (): string =>
    `matmul: ${formatShape(a)}${transposeA ? "ᵀ" : ""} and ${formatShape(b)}${transposeB ? "ᵀ" : ""}`;
  if (a.length === 0 || b.length === 0)
    fail("E_SHAPE", `${named()}: expected at least one axis each; use mul for scalars`);
  const left = a.length === 1 ? a[0]! : a[a.length - (transposeA ? 2 : 1)]!;
  const right = b.length === 1 ? b[0]! : b[b.length - (transposeB ? 1 : 2)]!;
  if (left !== right) fail("E_SHAPE", `${named()}: the inner sizes ${left} and ${right} must be equal`);
  if (a.length > 2 && b.length > 2 && !areBroadcastable(a.slice(0, -2), b.slice(0, -2)))
    fail(
      "E_SHAPE",
      `${named()}: the leading axes do not broadcast; aligned at the right, sizes must be equal or 1`,
    );
}

/**
 * Matrix product over the last two axes, leading axes broadcast, as NumPy's matmul: a vector on the left is a row, on the right
 * a column, and its axis is dropped again. The options use a transpose without copying it; int32 and bool count as
 * float32. Throws `E_SHAPE`.
 */
export function matmul(
  a: TensorLike,
  b: TensorLike,
  options: { readonly transposeA?: boolean; readonly transposeB?: boolean } = {},
): Tensor {
  checkedOptions("matmul", options);
  const [left, right] = asPair(a, b);
  const { transposeA = false, transposeB = false } = options;
  checkFactors(left.shape, right.shape, { transposeA, transposeB });
  if (left.rank === 1)
    return matmul(left.unsqueeze(transposeA ? 1 : 0), right, options).squeeze(right.rank === 1 ? 0 : -2);
  if (right.rank === 1) return matmul(left, right.unsqueeze(transposeB ? 0 : 1), options).squeeze(-1);
  if (right.rank === 2 && left.rank > 2 && !transposeA && left.size > 0) {
    const rows = left.reshape([-1, left.shape[left.rank - 1]!]);
    const flat = apply(matmulOp, [rows, right], { transposeA, transposeB });
    return flat.reshape([...left.shape.slice(0, -1), flat.shape[1]!]);
  }
  return apply(matmulOp, [left, right], { transposeA, transposeB });
}
