import { dtypeOf, kernels, reserve, type FloatDType, type Floats } from "../../../tensor/index.js";
import { fastTape, isFast } from "./fast-compression.js";
import { projectRemainder, projectSum, restoreMoments } from "./projection.js";
import { addTruncated, spectralFactors, type SpectralFactors } from "./spectral-factors.js";
import { addTruncationDerivative } from "./truncation-derivative.js";

/**
 * A moment-preserving truncation: C(H) = X + P(H − X), twice over, with X = T_r((I−P) H) (form B, `ofRemainder`) or
 * X = T_r(H) (form A). P(H) = Σ_k ⟨E_k, H⟩ E_k. Without moments it is T_r.
 */
export interface Compression {
  readonly rows: number;
  readonly columns: number;
  readonly rank: number;
  readonly ofRemainder: boolean;
  /** The number of moments. */
  readonly count: number;
  /** E, `[count, rows·columns]`, in the element type of what is compressed. */
  readonly elements: Floats;
}

/** The derivative of T_r: exact and clipped at a bound, or one of its stand-ins. */
export type Derivative = number | "tangent" | "straight-through";

/**
 * What is to be worked out from G: P G + D with D = DT_r[G], or of (I−P) G with `before`, and (I−P) D in its place with
 * `after`.
 */
export interface Pull {
  readonly derivative: Derivative;
  readonly before: boolean;
  readonly after: boolean;
}

/** What one compression leaves for its gradient. */
export interface CompressionTape {
  /** The singular values of what was truncated, `[batch, k]`, descending. */
  readonly s: Floats;
  readonly k: number;
  /** See {@link Pull}; g and out `[batch, rows, columns]`. */
  pull(g: Floats, pull: Pull, out: Floats): void;
}

/**
 * out = C(H); h and out `[batch, rows, columns]`. A matrix that is not finite gives NaN. In float32 both sets of kernels
 * give the same bits.
 */
export function compress(compression: Compression, h: Floats, out: Floats): CompressionTape {
  return kernels().name === "simd" && isFast(compression, h)
    ? fastTape(compression, h, out as Float32Array)
    : readableTape(compression, h, out);
}

function readableTape(compression: Compression, h: Floats, out: Floats): CompressionTape {
  const { rows, columns, rank, count, ofRemainder } = compression;
  const batch = h.length / (rows * columns);
  const rest = count > 0 && ofRemainder ? projectRemainder(compression, h) : h;
  const factors = spectralFactors(rest, batch, rows, columns);
  out.fill(0);
  addTruncated(factors, rank, out);
  if (count > 0) {
    restoreMoments(compression, out, h);
    restoreMoments(compression, out, h);
  }
  return {
    s: factors.s,
    k: factors.k,
    pull: (g, options, into) => pullReadably(compression, factors, g, options, into),
  };
}

function pullReadably(
  compression: Compression,
  factors: SpectralFactors,
  g: Floats,
  { derivative, before, after }: Pull,
  out: Floats,
): void {
  const { rank, count } = compression;
  const cotangent = count > 0 && before ? projectRemainder(compression, g) : g;
  const inner = count > 0 ? reserve(dtypeOf(g) as FloatDType, g.length) : out;
  if (derivative === "straight-through") inner.set(cotangent);
  else {
    inner.fill(0);
    addTruncationDerivative(factors, rank, derivative, cotangent, inner);
  }
  if (count > 0) projectSum(compression, g, after ? projectRemainder(compression, inner) : inner, out);
}
