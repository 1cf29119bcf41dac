import { four, magnitude4, ONE, sign4, step } from "./constant";
import { exp2Float64, lower64, rounded32, upper64 } from "./exp2-float64";

const C0 = memory.data<f32>([0.12837916612625122]);
const MINUS_C1 = memory.data<f32>([-0.3761262893676758]);
const C2 = memory.data<f32>([0.11283618211746216]);
const MINUS_C3 = memory.data<f32>([-0.02685512602329254]);
const C4 = memory.data<f32>([0.005190733820199966]);
const MINUS_C5 = memory.data<f32>([-0.0008030761382542551]);
const C6 = memory.data<f32>([0.00007920368079794571]);

/** erf32 of four lanes; float64 arithmetic only where some lane needs it. */
// @ts-ignore: decorator
@inline
export function erf4(x: v128): v128 {
  const near = f32x4.lt(magnitude4(x), four(ONE));
  return i32x4.all_true(near) ? erfNearZero4(x) : v128.bitselect(erfNearZero4(x), erfFar4(x), near);
}

// @ts-ignore: decorator
@inline
function erfNearZero4(x: v128): v128 {
  const z = f32x4.mul(x, x);
  let p = step(step(step(z, four(C6), MINUS_C5), z, C4), z, MINUS_C3);
  p = step(step(step(p, z, C2), z, MINUS_C1), z, C0);
  return f32x4.add(x, f32x4.mul(x, p));
}

function erfFar4(x: v128): v128 {
  const one = f64x2.splat(1);
  const a = magnitude4(x);
  const lower = f64x2.sub(one, erfcTail64(lower64(a)));
  const upper = f64x2.sub(one, erfcTail64(upper64(a)));
  return v128.or(rounded32(lower, upper), sign4(x));
}

/** erfc of two lanes ≥ 0.46875, see src/tensor/math/erfc-tail.ts. */
// @ts-ignore: decorator
@inline
function erfcTail64(x: v128): v128 {
  const bounded = f64x2.pmin(x, f64x2.splat(10.0625));
  const t = f64x2.div(f64x2.sub(bounded, f64x2.splat(2)), f64x2.add(bounded, f64x2.splat(2)));
  let g = f64x2.add(f64x2.mul(t, f64x2.splat(0.00014546111466956133)), f64x2.splat(0.00006392921959170328));
  g = f64x2.sub(f64x2.mul(g, t), f64x2.splat(0.0009709264071580243));
  g = f64x2.sub(f64x2.mul(g, t), f64x2.splat(0.0008536800428982457));
  g = f64x2.add(f64x2.mul(g, t), f64x2.splat(0.006995684032511871));
  g = f64x2.add(f64x2.mul(g, t), f64x2.splat(0.003733800336159997));
  g = f64x2.sub(f64x2.mul(g, t), f64x2.splat(0.07897847427349111));
  g = f64x2.add(f64x2.mul(g, t), f64x2.splat(0.24165814945149638));
  g = f64x2.sub(f64x2.mul(g, t), f64x2.splat(0.4271858488392018));
  g = f64x2.add(f64x2.mul(g, t), f64x2.splat(0.25539567666018376));
  const exponent = f64x2.mul(f64x2.mul(bounded, bounded), f64x2.splat(-1.4426950408889634));
  return f64x2.mul(exp2Float64(exponent), g);
}
