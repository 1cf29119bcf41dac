// src/tensor/math/normal-tail.ts, four lanes at once: a = |x| and Φ(−a) = 2^(K·a²)·N(a)/D(a). Literals here, which the engine
// takes out of a loop that tests its condition last: measured faster than loads where there are this many.

/** 1.5·2^23 */
const ROUNDER: f32 = 12582912;

/** a·b + c, both rounded. */
// @ts-ignore: decorator
@inline
function next(a: v128, b: v128, c: f32): v128 {
  return f32x4.add(f32x4.mul(a, b), f32x4.splat(c));
}

/** a = |x|, bounded; NaN passes. */
// @ts-ignore: decorator
@inline
export function boundedMagnitude4(x: v128): v128 {
  return f32x4.pmin(v128.and(x, i32x4.splat(0x7fffffff)), f32x4.splat(13.28125));
}

/** y·2^(K·a²); 0 at the bound, where n is −127. */
// @ts-ignore: decorator
@inline
export function timesGaussian4(y: v128, a: v128): v128 {
  const exponent = f32x4.mul(f32x4.splat(-0.7213475108146667), f32x4.mul(a, a));
  const rounded = f32x4.add(exponent, f32x4.splat(ROUNDER));
  const f = f32x4.sub(exponent, f32x4.sub(rounded, f32x4.splat(ROUNDER)));
  let p = next(f, f32x4.splat(0.0013269443297758698), 0.009671296924352646);
  p = next(next(next(p, f, 0.0555071122944355), f, 0.24022246897220612), f, 0.6931470036506653);
  const power = i32x4.add(i32x4.shl(rounded, 23), f32x4.splat(1));
  return f32x4.mul(f32x4.mul(y, power), next(f, p, 1));
}

// @ts-ignore: decorator
@inline
export function tailNumerator4(a: v128): v128 {
  const n = next(next(a, f32x4.splat(0.3989485800266266), 4.092785358428955), a, 18.96087074279785);
  return next(next(n, a, 46.35944747924805), a, 54.338375091552734);
}

// @ts-ignore: decorator
@inline
export function tailDenominator4(a: v128): v128 {
  const d = next(f32x4.add(a, f32x4.splat(10.26009464263916)), a, 48.50532531738281);
  return next(next(next(d, a, 126.74795532226562), a, 179.43040466308594), a, 108.67675018310547);
}
