import { erfcTail } from "./erfc-tail.js";

/**
 * The error function 2/√π ∫₀ˣ exp(−t²) dt of a float32 x: x + x·P(x²) in float32 arithmetic for |x| < 1, P of degree 6,
 * minimax for the relative error, 2^−29.6; beyond, 1 − erfc |x| by erfc-tail. Odd; the sign of zero is kept.
 * Measured over the whole range: at most 1.20 units of the last place.
 */
export function erf32(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < 1) return erfNearZero(x);
  const result = Math.fround(1 - erfcTail(magnitude));
  return x < 0 ? -result : result;
}

/**
 * The complementary error function 1 − erf x of a float32 x, with full relative precision also where it is small:
 * 1 − erf x in float32 arithmetic for −1 < x < 0.46875, else by erfc-tail. Subnormal results are rounded once.
 * Measured over the whole range: at most 0.94 units of the last place.
 */
export function erfc32(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < 1 && x < 0.46875) return Math.fround(1 - erfNearZero(x));
  const tail = erfcTail(magnitude);
  return Math.fround(x < 0 ? 2 - tail : tail);
}

function erfNearZero(x: number): number {
  const f = Math.fround;
  const z = f(x * x);
  let p = f(f(z * 0.00007920368079794571) - 0.0008030761382542551);
  p = f(f(p * z) + 0.005190733820199966);
  p = f(f(p * z) - 0.02685512602329254);
  p = f(f(p * z) + 0.11283618211746216);
  p = f(f(p * z) - 0.3761262893676758);
  p = f(f(p * z) + 0.12837916612625122);
  return x === 0 ? x : f(x + f(x * p));
}
