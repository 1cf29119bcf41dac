import { noGrad, tensor, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";
import { generator, type Generator } from "../../random/index.js";
import { Comparison } from "../comparison.js";
import { inner } from "../cotangent.js";
import type { LawResult } from "../law-result.js";
import { required } from "../required.js";

/** One step of an elimination: the residual `[n, n]` after a pivot was taken out of it. */
export type PivotStep = (residual: Tensor, pivot: number) => Tensor;

/** Options of {@link checkTraceDecrease}. */
export interface TraceDecreaseOptions {
  /** The probability of each pivot. Default Rᵢᵢ/tr R. */
  readonly probabilities?: (residual: Tensor) => ArrayLike<number>;
  /** The expected trace after the step that is claimed. Default tr R − ‖R‖²/tr R, the value for the default probabilities. */
  readonly claim?: (residual: Tensor) => number;
  /** Whether the claim is the value or a bound from above. Default `equal`. */
  readonly relation?: "equal" | "at most";
  /** Largest error of the exact expectation, relative to the trace of the first residual. Default 1e-12. */
  readonly tolerance?: number;
  /** Steps in a row, each after a pivot that is drawn. Default 1. */
  readonly steps?: number;
  /** Draws a pivot; when given, the mean over draws is compared with the expectation as well. */
  readonly draw?: (residual: Tensor, rng: Generator) => number;
  /** The number of draws. Default 2000. */
  readonly draws?: number;
  /** Standard errors by which the mean of the draws may miss. Default 5: chance goes beyond it once in a million times. */
  readonly standardErrors?: number;
  /** Where the drawing starts. Default 5. */
  readonly seed?: number;
}

/**
 * The trace of a positive semidefinite residual `[n, n]` falls as claimed: the exact expectation of tr R′ over all pivots with their
 * probabilities equals the claim (or does not exceed it), and the mean over drawn pivots lies within its interval around that.
 *
 * Source of the default claim: Chen, Epperly, Tropp, Webber, arXiv 2207.06503, for one step of randomly pivoted Cholesky.
 */
export function checkTraceDecrease(
  step: PivotStep,
  residual: Tensor,
  options: TraceDecreaseOptions = {},
): LawResult {
  const { tolerance = 1e-12, steps = 1, relation = "equal", seed = 5 } = options;
  const { probabilities = byDiagonal, claim = claimByDiagonal } = options;
  const [n] = residual.shape;
  if (residual.rank !== 2 || n !== residual.shape[1])
    fail("E_SHAPE", `TraceDecrease: expected a residual [n, n], got ${formatShape(residual.shape)}`);
  const comparison = new Comparison("TraceDecrease");
  const rng = generator(seed).stream("pivots");
  const whole = trace(residual);
  let now = residual.detach().cast("float64");
  for (let at = 0; at < steps && trace(now) > 0; at++) {
    const shares = Float64Array.from(probabilities(now));
    const total = shares.reduce((sum, share) => sum + share, 0);
    comparison.error("probabilities", tolerance, Math.abs(total - 1), () => ({
      where: `sum of the probabilities of step ${at + 1}`,
      expected: 1,
      found: total,
    }));
    const traces = shares.map((share, pivot) => (share === 0 ? 0 : trace(noGrad(() => step(now, pivot)))));
    const expectation = traces.reduce((sum, left, pivot) => sum + shares[pivot]! * left, 0);
    const claimed = claim(now);
    const excess = expectation - claimed;
    const error = relation === "equal" ? Math.abs(excess) : Math.max(0, excess);
    comparison.error("exact expectation", tolerance, error / whole, () => ({
      where: `expected trace after step ${at + 1}`,
      expected: claimed,
      found: expectation,
      sources: { expected: relation === "equal" ? "claim" : "claim, at most", found: "sum over all pivots" },
    }));
    if (options.draw) sampled(comparison, now, traces, expectation, rng, options.draw, options);
    now = noGrad(() => step(now, drawn(shares, rng)));
  }
  return comparison.result();
}

/** The mean of tr R′ over drawn pivots, in standard errors from its expectation. */
function sampled(
  comparison: Comparison,
  residual: Tensor,
  traces: Float64Array,
  expectation: number,
  rng: Generator,
  draw: (residual: Tensor, rng: Generator) => number,
  { draws = 2000, standardErrors = 5 }: TraceDecreaseOptions,
): void {
  const found = Float64Array.from({ length: draws }, () => traces[draw(residual, rng)] ?? NaN);
  const mean = found.reduce((sum, value) => sum + value, 0) / draws;
  const variance = found.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (draws - 1);
  // Draws that all agree leave rounding alone between their mean and the expectation.
  const error = Math.sqrt(variance / draws) + 1e-12 * Math.abs(expectation) + Number.MIN_VALUE;
  comparison.error("sampled mean", standardErrors, Math.abs(mean - expectation) / error, () => ({
    where: `mean trace over ${draws} drawn pivots`,
    expected: expectation,
    found: mean,
    sources: { expected: "exact expectation", found: "draws" },
  }));
}

function trace(residual: Tensor): number {
  const values = residual.values();
  const n = residual.shape[0]!;
  let total = 0;
  for (let i = 0; i < n; i++) total += values[i * n + i]!;
  return total;
}

function byDiagonal(residual: Tensor): Float64Array {
  const n = residual.shape[0]!;
  const values = residual.values();
  const total = trace(residual);
  return Float64Array.from({ length: n }, (_, i) => values[i * n + i]! / total);
}

function claimByDiagonal(residual: Tensor): number {
  const total = trace(residual);
  return total - inner(residual, residual) / total;
}

function drawn(shares: ArrayLike<number>, rng: Generator): number {
  let left = rng.uniform();
  for (let i = 0; i < shares.length; i++) {
    left -= shares[i]!;
    if (left < 0) return i;
  }
  return Array.from(shares).findLastIndex((share) => share > 0);
}

/** One step of Cholesky elimination, R − R₍:,p₎·R₍p,:₎/R₍p,p₎: the {@link PivotStep} of pivoted Cholesky. */
export function eliminatePivot(residual: Tensor, pivot: number): Tensor {
  const n = residual.shape[0]!;
  const r = residual.values();
  const out = Float64Array.from(r, (value, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return value - (r[i * n + pivot]! * r[pivot * n + j]!) / r[pivot * n + pivot]!;
  });
  return tensor(out, { shape: [n, n] });
}

/** {@link checkTraceDecrease}, throwing `E_LAW` when it does not hold. */
export function expectTraceDecrease(
  step: PivotStep,
  residual: Tensor,
  options?: TraceDecreaseOptions,
): LawResult {
  return required(checkTraceDecrease(step, residual, options));
}
