import type { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";
import { oneOf } from "../one-of.js";
import { checkBound, defaultBound } from "./amplification-bound.js";
import { compressMatrices } from "./compress.js";
import { checkRank } from "./kernel/spectral-factors.js";
import type { TruncationCounter } from "./truncation-counter.js";

const noMoments = new Float32Array(0);

/** The gradients that a truncation may be given. */
export const truncationGradients = ["exact", "tangent", "straight-through"] as const;

/**
 * `exact`: the derivative, its amplification a = s_i/(s_i − s_j) clipped at the bound. `tangent`: a = b = 1, the
 * projection on the tangent space of the matrices of rank r. `straight-through`: the identity.
 */
export type TruncationGradient = (typeof truncationGradients)[number];

/** Options of {@link truncateRank}. */
export interface TruncationOptions {
  /** The rank r that is kept, from 1 to min(rows, columns). */
  readonly rank: number;
  /** Default `exact`. */
  readonly gradient?: TruncationGradient;
  /** Where the exact gradient is clipped, at least 1; Infinity never clips. Default {@link defaultBound}. */
  readonly bound?: number;
  /** Counts how often the exact gradient is clipped, each time a gradient is taken. */
  readonly counter?: TruncationCounter | undefined;
}

/**
 * T_r(H), the best approximation of rank r of each matrix, by a Jacobi singular value decomposition.
 *
 * The gradient is that of `kernel/truncation-derivative.ts`, finite for zero, rank-deficient and repeated singular values
 * (an exact tie at the cut is clipped, like every amplification above the bound). It reuses the decomposition of the
 * forward pass. It is linear and self-adjoint in the cotangent, and may be differentiated in it; its own derivative in
 * H throws `E_SECOND_ORDER`.
 *
 * Shapes: h `[…, rows, columns]` → the same. A matrix that is not finite gives NaN.
 *
 * @throws E_SHAPE for fewer than two axes, E_DTYPE for a type that is not floating, E_VALUE for a rank, gradient or
 *   bound outside its range
 */
export function truncateRank(h: Tensor, options: TruncationOptions): Tensor {
  const { rank, gradient = "exact", bound = defaultBound, counter } = options;
  checkMatrices("truncateRank", h);
  checkRank(rank, h.shape.at(-2)!, h.shape.at(-1)!);
  checkBound(bound);
  oneOf("truncateRank", "gradient", gradient, truncationGradients);
  const [rows, columns] = [h.shape.at(-2)!, h.shape.at(-1)!];
  const compression = { rows, columns, rank, ofRemainder: false, count: 0, elements: noMoments };
  return compressMatrices(h, compression, { derivative: gradient === "exact" ? bound : gradient, counter });
}

/** E_SHAPE or E_DTYPE unless the tensor holds floating matrices. */
export function checkMatrices(name: string, h: Tensor): void {
  if (h.rank < 2) {
    fail("E_SHAPE", `${name}: expected matrices, shape [..., rows, columns], got ${formatShape(h.shape)}`);
  }
  if (h.dtype !== "float32" && h.dtype !== "float64") {
    fail("E_DTYPE", `${name}: expected float32 or float64, got ${h.dtype}; cast it first`);
  }
}
