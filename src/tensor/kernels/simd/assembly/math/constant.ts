/**
 * Four copies of a number of the static data. Loaded because that is one cheap instruction, where the engine builds a vector
 * literal anew from integers at each use.
 */
// @ts-ignore: decorator
@inline
export function four(address: usize): v128 {
  return v128.load32_splat(address);
}

export const ONE = memory.data<f32>([1]);
export const HALF = memory.data<f32>([0.5]);
export const TWO = memory.data<f32>([2]);
export const SIGN = memory.data<i32>([0x80000000]);
export const ALL_BUT_SIGN = memory.data<i32>([0x7fffffff]);
export const INFINITE = memory.data<f32>([Infinity]);
export const NOT_A_NUMBER = memory.data<f32>([NaN]);
export const LEAST_NORMAL = memory.data<f32>([1.1754943508222875e-38]);

/** a·b + c, both rounded. */
// @ts-ignore: decorator
@inline
export function step(a: v128, b: v128, c: usize): v128 {
  return f32x4.add(f32x4.mul(a, b), four(c));
}

/** a + b·c, both rounded. */
// @ts-ignore: decorator
@inline
export function plus(a: v128, b: v128, c: v128): v128 {
  return f32x4.add(a, f32x4.mul(b, c));
}

/** |x| */
// @ts-ignore: decorator
@inline
export function magnitude4(x: v128): v128 {
  return v128.and(x, four(ALL_BUT_SIGN));
}

/** The sign bit of x. */
// @ts-ignore: decorator
@inline
export function sign4(x: v128): v128 {
  return v128.and(x, four(SIGN));
}
