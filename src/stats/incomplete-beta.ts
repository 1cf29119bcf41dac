import { checkNumbers, fail } from "../errors/index.js";
import { logBeta } from "./log-gamma.js";

const TINY = 1e-300;
const MOST_STEPS = 1_000_000;

/**
 * The regularised incomplete beta function Iₓ(a, b) for a, b > 0 and 0 ≤ x ≤ 1. The complement y = 1 − x is
 * an argument of its own, since whoever has it without rounding keeps the tail exact.
 *
 * Source: the continued fraction of DLMF 8.17.22, evaluated by Lentz's method; for x beyond the mean,
 * Iₓ(a, b) = 1 − I_y(b, a) (8.17.4).
 */
export function incompleteBeta(x: number, y: number, a: number, b: number): number {
  checkNumbers("incompleteBeta", { x, y, a, b });
  if (!(x >= 0 && x <= 1 && y >= 0 && y <= 1))
    fail(
      "E_VALUE",
      `the incomplete beta function needs x and y = 1 − x in [0, 1]; found ${String(x)}, ${String(y)}`,
    );
  if (!(a > 0 && b > 0 && a < Infinity && b < Infinity))
    fail(
      "E_VALUE",
      `the incomplete beta function needs positive finite parameters; found ${String(a)}, ${String(b)}`,
    );
  if (x === 0) return 0;
  if (y === 0) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - lower(y, x, b, a);
  return lower(x, y, a, b);
}

function lower(x: number, y: number, a: number, b: number): number {
  return (Math.exp(logBetaPower(x, y, a, b)) / a) * continuedFraction(x, a, b);
}

/** ln(xᵃ·yᵇ/B(a, b)) with y = 1 − x. */
export function logBetaPower(x: number, y: number, a: number, b: number): number {
  const logX = x < 0.5 ? Math.log(x) : Math.log1p(-y);
  const logY = y < 0.5 ? Math.log(y) : Math.log1p(-x);
  return a * logX + b * logY - logBeta(a, b);
}

/** 1/(1 + d₁/(1 + d₂/(1 + …))), the fraction that Iₓ(a, b) is a multiple of. */
function continuedFraction(x: number, a: number, b: number): number {
  let value = 1;
  let c = 1;
  let d = 0;
  for (let step = 1; step <= MOST_STEPS; step++) {
    const m = step >> 1;
    const numerator =
      step % 2 === 0
        ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
        : -((a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + numerator * d);
    c = nonZero(1 + numerator / c);
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-15) return 1 / value;
  }
  return fail("E_NUMERIC", `the incomplete beta function did not settle at x = ${x}, a = ${a}, b = ${b}`);
}

function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
