import { checkedOptions, fail } from "../../errors/index.js";
import {
  formatShape,
  isFloating,
  jacobiSvd,
  NDArray,
  cholesky as factorise,
  sameShape,
  sizeOf,
  solveTriangular as solve,
  type Floats,
  type TriangularOptions,
} from "../../tensor/index.js";
import { asTensor, type TensorLike } from "../operands.js";
import { op } from "../op.js";
import { apply, isRecording } from "../record.js";
import { Tensor } from "../tensor.js";

/**
 * A = L·Lᵀ over the last two axes: ∂A = ½(S + Sᵀ), S = L⁻ᵀ·Φ(Lᵀ·G)·L⁻¹, Φ the lower triangle with half the diagonal
 * (Murray, arXiv 1602.07527).
 */
const choleskyOp = op({
  name: "cholesky",
  forward: ([x]) => {
    const n = x!.shape[x!.rank - 1]!;
    return new NDArray(x!.shape, x!.dtype, factorise(x!.data as Floats, sizeOf(x!.shape.slice(0, -2)), n));
  },
  vjp: ({ cotangent: g, output: l }) => {
    const product = l.matmul(g, { transposeA: true });
    const phi = product.tril().add(product.tril(-1)).mul(0.5);
    const left = l.solveTriangular(phi, { transpose: true });
    const s = l.solveTriangular(left.transpose(), { transpose: true });
    return [s.add(s.transpose()).mul(0.5)];
  },
});

/** X = T⁻¹·B (T⁻ᵀ·B with `transpose`): ∂B = T⁻ᵀ·G, ∂T = −∂B·Xᵀ in its triangle (−X·∂Bᵀ with `transpose`). */
const solveOp = op<TriangularOptions>({
  name: "solveTriangular",
  forward: ([t, b], options) => {
    const n = t!.shape[t!.rank - 1]!;
    const columns = b!.shape[b!.rank - 1]!;
    return new NDArray(
      b!.shape,
      b!.dtype,
      solve(t!.data as Floats, b!.data as Floats, sizeOf(t!.shape.slice(0, -2)), n, columns, options),
    );
  },
  vjp: ({
    cotangent: g,
    inputs: [t],
    output: x,
    attributes: { upper = false, transpose = false },
    needs,
  }) => {
    const db = t!.solveTriangular(g, { upper, transpose: !transpose });
    if (!needs[0]) return [undefined, db];
    const full = transpose ? x.matmul(db, { transposeB: true }) : db.matmul(x, { transposeB: true });
    return [upper ? full.neg().triu() : full.neg().tril(), db];
  },
});

export const linearAlgebra = { cholesky: choleskyOp, solveTriangular: solveOp };

function square(name: string, x: TensorLike): Tensor {
  const input = asTensor(x);
  const [rows, columns] = input.shape.slice(-2);
  if (input.rank < 2 || rows !== columns)
    fail("E_SHAPE", `${name}: expected square matrices [..., n, n], got ${formatShape(input.shape)}`);
  if (!isFloating(input.dtype)) fail("E_DTYPE", `${name}: expected float32 or float64, got ${input.dtype}`);
  return input;
}

/** The lower factor L of A = L·Lᵀ, A `[…, n, n]` symmetric; only the lower triangle is read. Throws `E_NUMERIC` if not positive definite. */
export function cholesky(x: TensorLike): Tensor {
  return apply(choleskyOp, [square("cholesky", x)], undefined);
}

/** T⁻¹·B for a triangular T `[…, n, n]` and B `[…, n, columns]`; `transpose` solves with Tᵀ. Throws `E_SHAPE`. */
export function solveTriangular(t: TensorLike, b: TensorLike, options: TriangularOptions = {}): Tensor {
  checkedOptions("solveTriangular", options);
  const matrix = square("solveTriangular", t);
  const right = asTensor(b, matrix.dtype);
  if (right.dtype !== matrix.dtype)
    fail(
      "E_DTYPE",
      `solveTriangular: expected ${matrix.dtype} on the right too, got ${right.dtype}; cast it first`,
    );
  if (right.rank !== matrix.rank || !sameShape(right.shape.slice(0, -1), matrix.shape.slice(0, -1))) {
    fail(
      "E_SHAPE",
      `solveTriangular: expected [${matrix.shape.slice(0, -1).join(", ")}, columns] on the right of ` +
        `${formatShape(matrix.shape)}, got ${formatShape(right.shape)}`,
    );
  }
  return apply(solveOp, [matrix, right], options);
}

/**
 * The thin singular value decomposition A = U·diag(s)·Vᵀ of each matrix `[…, m, n]` by one-sided Jacobi rotations:
 * U `[…, m, k]`, s `[…, k]` falling, V `[…, n, k]`, k = min(m, n). Without a gradient: the derivative of a single
 * vector does not exist where singular values meet. Throws `E_NO_GRAD` where a gradient would be expected to flow.
 */
export function svd(x: TensorLike): { u: Tensor; s: Tensor; v: Tensor } {
  const input = asTensor(x);
  if (!isFloating(input.dtype)) fail("E_DTYPE", `svd: expected float32 or float64, got ${input.dtype}`);
  if (input.requiresGrad && isRecording()) {
    fail(
      "E_NO_GRAD",
      "svd: has no gradient, but its input requires one; pass x.detach(), or call it inside noGrad()",
    );
  }
  if (input.rank < 2) fail("E_SHAPE", `svd: expected matrices [..., m, n], got ${formatShape(input.shape)}`);
  const stack = input.shape.slice(0, -2);
  const [m, n] = input.shape.slice(-2) as [number, number];
  const k = Math.min(m, n);
  const { u, s, v } = jacobiSvd(input.array.data as Floats, sizeOf(stack), m, n);
  const wrap = (data: Floats, ...shape: number[]): Tensor =>
    new Tensor(new NDArray([...stack, ...shape], input.dtype, data));
  return { u: wrap(u, m, k), s: wrap(s, k), v: wrap(v, n, k) };
}
