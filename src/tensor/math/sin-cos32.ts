import { reduceHalfPi, reducedRemainder } from "./half-pi-reduction.js";

/**
 * sin x for a float32 x: the remainder modulo π/2 (half-pi-reduction) rounded to float32, then float32 polynomials. The
 * sign of zero is kept; NaN at ±∞.
 * Measured over the whole range: at most 1.54 units of the last place.
 */
export function sin32(x: number): number {
  if (x === 0) return x;
  if (!(Math.abs(x) < Infinity)) return NaN;
  const quadrant = reduceHalfPi(x);
  const r = Math.fround(reducedRemainder());
  const magnitude = quadrant & 1 ? cosPolynomial(r) : sinPolynomial(r);
  return quadrant & 2 ? -magnitude : magnitude;
}

/**
 * cos x for a float32 x, as {@link sin32}.
 * Measured over the whole range: at most 1.55 units of the last place.
 */
export function cos32(x: number): number {
  if (!(Math.abs(x) < Infinity)) return NaN;
  const quadrant = reduceHalfPi(x);
  const r = Math.fround(reducedRemainder());
  const magnitude = quadrant & 1 ? sinPolynomial(r) : cosPolynomial(r);
  return (quadrant + 1) & 2 ? -magnitude : magnitude;
}

/** r + r·z·S(z), z = r² ≤ (π/4)²: S of degree 2, minimax for the relative error, 2^−28.0. */
function sinPolynomial(r: number): number {
  const f = Math.fround;
  const z = f(r * r);
  let p = f(f(z * -0.00019518598855938762) + 0.008332191035151482);
  p = f(f(p * z) - 0.16666655242443085);
  return f(r + f(r * f(z * p)));
}

/** 1 − (z/2 − z²·C(z)), z = r² ≤ (π/4)²: C of degree 2, minimax for the absolute error, 2^−33.1. */
function cosPolynomial(r: number): number {
  const f = Math.fround;
  const z = f(r * r);
  let p = f(f(z * 0.000024430670237052254) - 0.00138873013202101);
  p = f(f(p * z) + 0.04166664555668831);
  return f(1 - f(0.5 * z - f(f(z * z) * p)));
}
