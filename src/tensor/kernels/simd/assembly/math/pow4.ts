import { four, INFINITE, LEAST_NORMAL } from "./constant";
import { exp2Float64, lower64, rounded32, upper64 } from "./exp2-float64";
import { logExponent4 } from "./log-reduction";

const NORMALS = memory.data<i32>([0x7f000000]);

/** aᵇ of four lanes, as in reference/binary.ts. A vector with an unusual base or exponent is taken lane by lane. */
// @ts-ignore: decorator
@inline
export function pow4(x: v128, y: v128): v128 {
  const usualBase = i32x4.lt_u(i32x4.sub(x, four(LEAST_NORMAL)), four(NORMALS));
  const usual = v128.and(usualBase, f32x4.lt(f32x4.abs(y), four(INFINITE)));
  return i32x4.all_true(usual) ? powUsual4(x, y) : laneByLane(x, y);
}

/** For positive normal finite bases and finite exponents. */
function powUsual4(x: v128, y: v128): v128 {
  const e = logExponent4(x);
  const m = i32x4.sub(x, i32x4.shl(e, 23));
  const upperE = v128.shuffle<i32>(e, e, 2, 3, 2, 3);
  const lower = pow64(lower64(m), f64x2.convert_low_i32x4_s(e), lower64(y));
  const upper = pow64(upper64(m), f64x2.convert_low_i32x4_s(upperE), upper64(y));
  return rounded32(lower, upper);
}

/** (m·2^e)^y in float64 arithmetic. At the bounds of the exponent the rounding to float32 gives infinity and 0. */
// @ts-ignore: decorator
@inline
function pow64(m: v128, e: v128, y: v128): v128 {
  const one = f64x2.splat(1);
  const s = f64x2.div(f64x2.sub(m, one), f64x2.add(m, one));
  const z = f64x2.mul(s, s);
  let p = f64x2.add(f64x2.mul(z, f64x2.splat(0.24295118434555923)), f64x2.splat(0.261441312591288));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(0.3206164799833508));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(0.412198400728987));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(0.5770780172548585));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(0.9617966939243144));
  p = f64x2.add(f64x2.mul(p, z), f64x2.splat(2.885390081777927));
  const t = f64x2.mul(y, f64x2.add(e, f64x2.mul(s, p)));
  return exp2Float64(f64x2.pmax(f64x2.pmin(t, f64x2.splat(128)), f64x2.splat(-151)));
}

function laneByLane(x: v128, y: v128): v128 {
  let result = f32x4.splat(pow(f32x4.extract_lane(x, 0), f32x4.extract_lane(y, 0)));
  result = f32x4.replace_lane(result, 1, pow(f32x4.extract_lane(x, 1), f32x4.extract_lane(y, 1)));
  result = f32x4.replace_lane(result, 2, pow(f32x4.extract_lane(x, 2), f32x4.extract_lane(y, 2)));
  return f32x4.replace_lane(result, 3, pow(f32x4.extract_lane(x, 3), f32x4.extract_lane(y, 3)));
}

function pow(x: f32, y: f32): f32 {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return f32.NaN;
  const a = Math.abs(x);
  const b = Math.abs(y);
  if (x == -1 && b == Infinity) return 1;
  const whole = Math.trunc(y) == y;
  const odd = whole && b < 16777216 && (<i32>y & 1) == 1;
  const negative = odd && reinterpret<i32>(x) < 0;
  if (a == 0 || a == Infinity) {
    const result: f32 = (a == 0) == y > 0 ? 0 : Infinity;
    return negative ? -result : result;
  }
  if (x < 0 && !whole) return f32.NaN;
  const result = powOfPositive(<f32>a, y);
  return negative ? -result : result;
}

/** For 0 < x < ∞, y not NaN. */
function powOfPositive(x: f32, y: f32): f32 {
  const subnormal = x < 1.1754943508222875e-38;
  const bits = reinterpret<i32>(subnormal ? x * 16777216 : x);
  const e = (bits - 0x3f3504f3) >> 23;
  const m = <f64>reinterpret<f32>(bits - (e << 23));
  const power = pow64(f64x2.splat(m), f64x2.splat(subnormal ? e - 24 : e), f64x2.splat(y));
  return <f32>f64x2.extract_lane(power, 0);
}
