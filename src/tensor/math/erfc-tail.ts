import { exp2Float64 } from "./exp2-float64.js";

/** From here on erfc x is under half the least subnormal float32. */
const VANISHED = 10.0625;
const LOG2_E = 1.4426950408889634;

/**
 * erfc x for x ≥ 0.46875 in float64 arithmetic, for one rounding to float32: exp(−x²)·G(t), t = (x − 2)/(x + 2), where
 * x² is exact and G, of degree 9, is minimax for the relative error of exp(x²)·erfc x up to 10.1, 2^−29.4. Float64
 * because a float32 t would cost more than one unit of the last place.
 */
export function erfcTail(x: number): number {
  const bounded = Math.min(x, VANISHED);
  const t = (bounded - 2) / (bounded + 2);
  let g = t * 0.00014546111466956133 + 0.00006392921959170328;
  g = g * t - 0.0009709264071580243;
  g = g * t - 0.0008536800428982457;
  g = g * t + 0.006995684032511871;
  g = g * t + 0.003733800336159997;
  g = g * t - 0.07897847427349111;
  g = g * t + 0.24165814945149638;
  g = g * t - 0.4271858488392018;
  g = g * t + 0.25539567666018376;
  return exp2Float64(bounded * bounded * -LOG2_E) * g;
}
