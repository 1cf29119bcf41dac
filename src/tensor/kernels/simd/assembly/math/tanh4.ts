import { four, HALF, magnitude4, ONE, plus, sign4, step } from "./constant";
import { count4, powerOfTwo4, ROUNDER } from "./exp-reduction";

const SATURATION = memory.data<f32>([9.0625]);
const SHIFT = memory.data<f32>([0.08671320229768753]);
const TWICE_LOG2_E = memory.data<f32>([2.885390043258667]);
const HALF_LN2_HIGH = memory.data<f32>([0.3465728759765625]);
const HALF_LN2_LOW = memory.data<f32>([7.143033826650935e-7]);
const C0 = memory.data<f32>([0.9999995231628418]);
const C1 = memory.data<f32>([0.6666767001152039]);
const C2 = memory.data<f32>([0.3333625793457031]);
const C3 = memory.data<f32>([0.1319045275449753]);
const C4 = memory.data<f32>([0.05256106331944466]);

/**
 * tanh32 of four lanes, with halves of the numbers that stand in its description: r/2, c/2 and e/2. Halving is exact, so the
 * bits are the same. NaN passes the bound, and the sign of x is copied, that of zero too.
 */
// @ts-ignore: decorator
@inline
export function tanh4(x: v128): v128 {
  const a = f32x4.pmin(magnitude4(x), four(SATURATION));
  const rounded = step(f32x4.sub(a, four(SHIFT)), four(TWICE_LOG2_E), ROUNDER);
  const n = count4(rounded);
  const r = f32x4.sub(f32x4.sub(a, f32x4.mul(n, four(HALF_LN2_HIGH))), f32x4.mul(n, four(HALF_LN2_LOW)));
  const square = f32x4.mul(r, r);
  const high = plus(step(r, four(C3), C2), square, four(C4));
  const c = f32x4.mul(square, plus(step(r, four(C1), C0), square, high));
  const power = powerOfTwo4(rounded);
  const one = four(ONE);
  const half = four(HALF);
  const e = f32x4.add(f32x4.mul(power, f32x4.add(r, c)), f32x4.sub(f32x4.mul(power, half), half));
  const near = f32x4.sub(f32x4.mul(c, f32x4.sub(one, a)), square);
  const isNear = f32x4.le(n, i32x4.splat(0));
  const quotient = f32x4.div(v128.bitselect(near, e, isNear), f32x4.add(e, one));
  return v128.or(f32x4.add(quotient, v128.and(a, isNear)), sign4(x));
}
