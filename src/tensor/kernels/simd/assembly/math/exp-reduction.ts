import { four, ONE, plus, step } from "./constant";

// The range reduction of src/tensor/math/exp-reduction.ts, four lanes at once: x = n·ln 2 + r, exp(x) = 2^n·(1 + s).

/** 1.5·2^23: x/ln 2 + ROUNDER holds the whole number n in its lowest bits. */
export const ROUNDER = memory.data<f32>([12582912]);
export const LN2_HIGH = memory.data<f32>([0.693145751953125]);
export const LN2_LOW = memory.data<f32>([0.000001428606765330187]);
export const LOG2_E = memory.data<f32>([1.4426950216293335]);
const C0 = memory.data<f32>([0.4999999403953552]);
const C1 = memory.data<f32>([0.16666516661643982]);
const C2 = memory.data<f32>([0.04166810214519501]);
const C3 = memory.data<f32>([0.00836916547268629]);
const C4 = memory.data<f32>([0.0013837979640811682]);

/** n + ROUNDER, from which {@link count4}, {@link powerOfTwo4} and {@link scale4} take n. */
// @ts-ignore: decorator
@inline
export function rounded4(x: v128): v128 {
  return step(x, four(LOG2_E), ROUNDER);
}

/** n as floats. */
// @ts-ignore: decorator
@inline
export function count4(rounded: v128): v128 {
  return f32x4.sub(rounded, four(ROUNDER));
}

/** n as integers. */
// @ts-ignore: decorator
@inline
export function wholeCount4(rounded: v128): v128 {
  return i32x4.sub(rounded, four(ROUNDER));
}

/** r = x − n·ln 2 */
// @ts-ignore: decorator
@inline
export function rest4(x: v128, n: v128): v128 {
  return f32x4.sub(f32x4.sub(x, f32x4.mul(n, four(LN2_HIGH))), f32x4.mul(n, four(LN2_LOW)));
}

/** c = exp(r) − 1 − r */
// @ts-ignore: decorator
@inline
export function expCurve4(r: v128): v128 {
  const z = f32x4.mul(r, r);
  const high = plus(step(r, four(C3), C2), z, four(C4));
  return f32x4.mul(z, plus(step(r, four(C1), C0), z, high));
}

/** s = exp(r) − 1 */
// @ts-ignore: decorator
@inline
export function expm1Rest4(r: v128): v128 {
  return f32x4.add(r, expCurve4(r));
}

/** 2^n for n ≥ −126, 0 for n = −127, from integers n; or from n + ROUNDER, as the shift leaves nothing of ROUNDER. */
// @ts-ignore: decorator
@inline
export function powerOfTwo4(n: v128): v128 {
  return i32x4.add(i32x4.shl(n, 23), four(ONE));
}

/** y·2^n rounded once, for y near 1 and −150 ≤ n ≤ 128: by two factors, of which the first leaves y exact. */
// @ts-ignore: decorator
@inline
export function scale4(y: v128, rounded: v128): v128 {
  const n = wholeCount4(rounded);
  const half = i32x4.shr_s(n, 1);
  const first = i32x4.add(i32x4.shl(half, 23), four(ONE));
  const second = i32x4.add(i32x4.shl(i32x4.sub(n, half), 23), four(ONE));
  return f32x4.mul(f32x4.mul(y, first), second);
}
