import { four, HALF, ONE, step, TWO } from "./constant";
import { LN2_HIGH, LN2_LOW } from "./exp-reduction";

// src/tensor/math/log-reduction.ts, four lanes at once: x = 2^e·(1 + f), √½ ≤ 1 + f < √2.

const SQRT_HALF = memory.data<i32>([0x3f3504f3]);
const C0 = memory.data<f32>([0.6666677594184875]);
const C1 = memory.data<f32>([0.3997756838798523]);
const C2 = memory.data<f32>([0.29871463775634766]);

/** e, from positive normal floats. */
// @ts-ignore: decorator
@inline
export function logExponent4(x: v128): v128 {
  return i32x4.shr_s(i32x4.sub(x, four(SQRT_HALF)), 23);
}

/** f = x/2^e − 1 */
// @ts-ignore: decorator
@inline
export function logFraction4(x: v128, e: v128): v128 {
  return f32x4.sub(i32x4.sub(x, i32x4.shl(e, 23)), four(ONE));
}

/** f − log(1 + f) = f²/2 − s·(f²/2 + z·R(z)), s = f/(2 + f), z = s² */
// @ts-ignore: decorator
@inline
function logBend4(f: v128): v128 {
  const s = f32x4.div(f, f32x4.add(four(TWO), f));
  const z = f32x4.mul(s, s);
  const series = f32x4.mul(z, step(z, step(z, four(C2), C1), C0));
  const halfSquare = f32x4.mul(four(HALF), f32x4.mul(f, f));
  return f32x4.sub(halfSquare, f32x4.mul(s, f32x4.add(halfSquare, series)));
}

/** e·ln 2 + log(1 + f), e as integers. */
// @ts-ignore: decorator
@inline
export function logOfReduced4(e: v128, f: v128): v128 {
  return logFrom(f32x4.convert_i32x4_s(e), f, i32x4.splat(0), false);
}

/** e·ln 2 + log(1 + f) + correction, e as integers. */
// @ts-ignore: decorator
@inline
export function correctedLog4(e: v128, f: v128, correction: v128): v128 {
  return logFrom(f32x4.convert_i32x4_s(e), f, correction, true);
}

// @ts-ignore: decorator
@inline
function logFrom(e: v128, f: v128, correction: v128, corrected: bool): v128 {
  let small = f32x4.mul(e, four(LN2_LOW));
  if (corrected) small = f32x4.add(small, correction);
  return f32x4.add(f32x4.mul(e, four(LN2_HIGH)), f32x4.sub(f, f32x4.sub(logBend4(f), small)));
}
