import { defineOp, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { allocate, formatShape, NDArray, sizeOf, type FloatDType, type Floats } from "../../tensor/index.js";
import { checkBound, defaultBound } from "./amplification-bound.js";
import { addTruncated, checkRank, spectralFactors, type SpectralFactors } from "./kernel/spectral-factors.js";
import type { TruncationCounter } from "./truncation-counter.js";
import { addTruncationDerivative } from "./kernel/truncation-derivative.js";

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

/** One call of the operation: how to differentiate it, and what its forward pass leaves for that. */
interface TruncationCall {
  readonly rank: number;
  readonly bound: number | "tangent" | "straight-through";
  readonly counter: TruncationCounter | undefined;
  factors?: SpectralFactors;
}

/** What the gradient of one call works with. */
interface TruncationGradientCall {
  readonly factors: SpectralFactors;
  readonly rank: number;
  readonly bound: number | "tangent";
  readonly counter: TruncationCounter | undefined;
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
  if (!truncationGradients.includes(gradient)) {
    fail(
      "E_VALUE",
      `truncateRank: the gradient must be one of ${truncationGradients.join(", ")}, not ${String(gradient)}`,
    );
  }
  return truncation([h], { rank, bound: gradient === "exact" ? bound : gradient, counter });
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

const truncation = defineOp<TruncationCall>({
  name: "truncateRank",
  forward: ([h], call) => {
    const { shape, dtype, data } = h!;
    call.factors = spectralFactors(data as Floats, sizeOf(shape.slice(0, -2)), shape.at(-2)!, shape.at(-1)!);
    const out = allocate(dtype as FloatDType, data.length);
    addTruncated(call.factors, call.rank, out);
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent, inputs: [h], attributes: { rank, bound, counter, factors } }) => [
    bound === "straight-through"
      ? cotangent
      : truncationGradient([cotangent, h!], { factors: factors!, rank, bound, counter }),
  ],
});

/** DT_r at H of a cotangent: linear and self-adjoint in the cotangent, its own rule there. */
const truncationGradient: (inputs: readonly Tensor[], call: TruncationGradientCall) => Tensor = defineOp({
  name: "truncateRankGradient",
  forward: ([g], { factors, rank, bound, counter }) => {
    const { shape, dtype, data } = g!;
    if (bound !== "tangent") counter?.count(factors.s, factors.k, rank, bound);
    const out = allocate(dtype as FloatDType, data.length);
    addTruncationDerivative(factors, rank, bound, data as Floats, out);
    return new NDArray(shape, dtype, out);
  },
  vjp: ({ cotangent, inputs: [, h], attributes, needs }): (Tensor | undefined)[] => {
    if (needs[1]) {
      fail(
        "E_SECOND_ORDER",
        "truncateRank: its gradient cannot be differentiated in H, because the derivatives of singular vectors divide " +
          "by every gap of the spectrum; take first derivatives only, or use the gradient 'straight-through'",
      );
    }
    return [truncationGradient([cotangent, h!], attributes), undefined];
  },
});
