import { boundedMagnitude4, tailDenominator4, tailNumerator4, timesGaussian4 } from "./normal-tail";

/** 1 + d where x ≥ 0, 0 − d elsewhere. */
// @ts-ignore: decorator
@inline
export function risen4(x: v128, d: v128): v128 {
  const right = f32x4.ge(x, i32x4.splat(0));
  return f32x4.add(v128.and(right, f32x4.splat(1)), v128.xor(d, v128.andnot(f32x4.splat(-0.0), right)));
}

/** geluSlope32 of four lanes. */
// @ts-ignore: decorator
@inline
export function geluSlope4(x: v128): v128 {
  const a = boundedMagnitude4(x);
  const ratio = f32x4.div(tailNumerator4(a), tailDenominator4(a));
  const d = timesGaussian4(f32x4.sub(f32x4.mul(f32x4.splat(0.3989422917366028), a), ratio), a);
  return risen4(x, d);
}
