import { powerOfTwo } from "./powers-of-two.js";

/** Adding and subtracting 1.5·2^52 rounds a float64 to a whole number, ties to even. */
const ROUNDER = 6755399441055744;

/**
 * 2^t for a float64 −150 ≤ t ≤ 128, in float64 arithmetic, to a relative 2^−31.9, which is what a float32 result
 * needs: 2^n·(1 + f·p(f)) with n the nearest whole number, f = t − n and p of degree 6, minimax for the relative error.
 */
export function exp2Float64(t: number): number {
  const n = t + ROUNDER - ROUNDER;
  const f = t - n;
  let p = f * 0.000013359517465078876 + 0.00015461390776848883;
  p = p * f + 0.0013341955777228208;
  p = p * f + 0.009618056861547158;
  p = p * f + 0.055504003652560044;
  p = p * f + 0.24022650921054578;
  p = p * f + 0.6931471838211278;
  return (1 + p * f) * powerOfTwo(n);
}
