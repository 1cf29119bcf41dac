import type { Floats } from "../../../tensor/index.js";
import { solveSmall } from "./solve-small.js";

/** Newton steps at most; four suffice near the start, and a fit that needs more than these is none. */
const mostSteps = 16;

/** Halvings of a step that does not bring the means nearer. */
const mostHalvings = 6;

/** The largest deviation of a fitted mean from its target, relative to 1 + |target|. */
const tolerance = 1e-12;

/** A row whose deviation is this small a share of the target's is not stretched: its shape is rounding. */
export const leastSpread = 1e-3;

/**
 * What restores the power means of one row: c = h̄ + σ_h·q(z), z = (x − x̄)/σ_x, q(z) = Σ_j a_j z^j, or c = x − x̄ + h̄ where
 * only the first mean is kept. All in float64.
 */
export interface PowerFit {
  readonly meanX: number;
  readonly meanH: number;
  readonly sigmaX: number;
  readonly sigmaH: number;
  /** The coefficients of q, as many as there are means that are kept. */
  readonly a: Float64Array;
}

/**
 * Fits one row: the means of c^k, k = 1 … count, are those of h^k.
 *
 * One mean: a shift. Two: x is shifted and rescaled, q(z) = z. Three or four: q is a polynomial of degree count − 1 with
 * mean(q^k) = mean(w^k), w = (h − h̄)/σ_h, found by Newton steps from q(z) = z, each halved until it brings the means nearer; this is the power
 * method of A. I. Fleishman, "A method for simulating non-normal distributions", Psychometrika 43 (1978), on the
 * values of a row. Where the steps do not converge one mean less is kept; where σ_x is below {@link leastSpread}·σ_h,
 * or 0, only the first.
 */
export function fitPowers(x: Floats, h: Floats, from: number, length: number, count: number): PowerFit {
  const [meanX, sigmaX] = spreadOf(x, from, length);
  const [meanH, sigmaH] = spreadOf(h, from, length);
  const fit = { meanX, meanH, sigmaX, sigmaH };
  if (count === 1 || !(sigmaX > leastSpread * sigmaH)) return { ...fit, a: Float64Array.of(0) };
  if (count > 2 && sigmaH > 0) {
    const z = standardised(x, from, length, meanX, sigmaX);
    const targets = powerMeans(standardised(h, from, length, meanH, sigmaH), count);
    targets.set([0, 1]);
    for (let kept = count; kept > 2; kept--) {
      const a = new Float64Array(kept);
      a[1] = 1;
      if (converge(a, z, targets.subarray(0, kept))) return { ...fit, a };
    }
  }
  return { ...fit, a: Float64Array.of(0, 1) };
}

/** How many of `count` means a fit keeps: all of a row h whose entries are equal. */
export function keptMeans({ a, sigmaH }: PowerFit, count: number): number {
  return sigmaH === 0 ? count : Math.min(a.length, count);
}

/** (x − x̄)/σ_x of a row. */
export function standardised(
  x: Floats,
  from: number,
  length: number,
  mean: number,
  sigma: number,
): Float64Array {
  return Float64Array.from({ length }, (_, i) => (x[from + i]! - mean) / sigma);
}

/** q(z) = Σ a_j z^j and its derivative. */
export function polynomial(
  a: Float64Array,
  z: Float64Array,
): { readonly q: Float64Array; readonly slope: Float64Array } {
  const q = new Float64Array(z.length);
  const slope = new Float64Array(z.length);
  for (let i = 0; i < z.length; i++) {
    let value = 0;
    let derivative = 0;
    for (let j = a.length - 1; j >= 0; j--) {
      derivative = derivative * z[i]! + value;
      value = value * z[i]! + a[j]!;
    }
    q[i] = value;
    slope[i] = derivative;
  }
  return { q, slope };
}

/** ∂ mean(q^k)/∂a_j = mean(k q^(k−1) z^j), `[count, count]`. */
export function powerJacobian(q: Float64Array, z: Float64Array, count: number): Float64Array {
  const jacobian = new Float64Array(count * count);
  for (let i = 0; i < z.length; i++) {
    let power = 1 / z.length;
    for (let k = 0; k < count; k++) {
      let term = (k + 1) * power;
      for (let j = 0; j < count; j++) {
        jacobian[k * count + j]! += term;
        term *= z[i]!;
      }
      power *= q[i]!;
    }
  }
  return jacobian;
}

/** mean(y^k), k = 1 … count. */
function powerMeans(y: Float64Array, count: number): Float64Array {
  const means = new Float64Array(count);
  for (const value of y) {
    let power = 1 / y.length;
    for (let k = 0; k < count; k++) {
      power *= value;
      means[k]! += power;
    }
  }
  return means;
}

/** Newton's method on the coefficients, in place. Whether the means are those wanted. */
function converge(a: Float64Array, z: Float64Array, targets: Float64Array): boolean {
  const count = a.length;
  let { q } = polynomial(a, z);
  let missing = deviation(q, targets);
  for (let step = 0; step < mostSteps; step++) {
    if (missing.worst <= tolerance) return true;
    const jacobian = powerJacobian(q, z, count);
    if (!solveSmall(jacobian, missing.difference, count)) return false;
    const move = missing.difference;
    let share = 1;
    let next = moved(a, move, share, z, targets);
    for (let halving = 0; !(next.worst < missing.worst); halving++) {
      // At the limit of rounding no step brings the means nearer.
      if (halving === mostHalvings) return missing.worst <= 10 * tolerance;
      share /= 2;
      next = moved(a, move, share, z, targets);
    }
    a.set(next.a);
    q = next.q;
    missing = next;
  }
  return missing.worst <= tolerance;
}

function moved(
  a: Float64Array,
  move: Float64Array,
  share: number,
  z: Float64Array,
  targets: Float64Array,
): { readonly a: Float64Array; readonly q: Float64Array } & ReturnType<typeof deviation> {
  const next = a.map((each, j) => each + share * move[j]!);
  const { q } = polynomial(next, z);
  return { a: next, q, ...deviation(q, targets) };
}

/** target − mean(q^k), and the greatest relative to 1 + |target|. */
function deviation(
  q: Float64Array,
  targets: Float64Array,
): { readonly difference: Float64Array; readonly worst: number } {
  const difference = powerMeans(q, targets.length).map((mean, k) => targets[k]! - mean);
  const worst = difference.reduce(
    (most, each, k) => Math.max(most, Math.abs(each) / (1 + Math.abs(targets[k]!))),
    0,
  );
  return { difference, worst: Number.isFinite(worst) ? worst : Infinity };
}

/** Mean and standard deviation (divisor n) of a row. */
function spreadOf(x: Floats, from: number, length: number): readonly [mean: number, sigma: number] {
  let sum = 0;
  for (let i = from; i < from + length; i++) sum += x[i]!;
  const mean = sum / length;
  let squares = 0;
  for (let i = from; i < from + length; i++) squares += (x[i]! - mean) ** 2;
  return [mean, Math.sqrt(squares / length)];
}
