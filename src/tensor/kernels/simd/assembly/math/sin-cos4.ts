import { four, HALF, magnitude4, ONE, step } from "./constant";
import { lower64, rounded32, upper64 } from "./exp2-float64";
import { largeQuarter, largeRest } from "./half-pi-reduction";

const MODERATE = memory.data<f32>([1048576]);
const S1 = memory.data<f32>([-0.16666655242443085]);
const S2 = memory.data<f32>([0.008332191035151482]);
const S3 = memory.data<f32>([-0.00019518598855938762]);
const C1 = memory.data<f32>([0.04166664555668831]);
const C2 = memory.data<f32>([-0.00138873013202101]);
const C3 = memory.data<f32>([0.000024430670237052254]);
/** 1.5·2^52: its sum with x·2/π holds the whole quarter turns in its lowest bits. */
const ROUNDER: f64 = 6755399441055744;
const TWO_OVER_PI: f64 = 0.6366197723675814;
const HALF_PI_HIGH: f64 = 1.5707963267341256;
const HALF_PI_LOW: f64 = 6.077100506506192e-11;

/** sin32 of four lanes. A vector with a lane beyond ±2^20 is taken lane by lane. */
// @ts-ignore: decorator
@inline
export function sin4(x: v128): v128 {
  return isModerate(x) ? turned4(x, 0) : laneByLane(x, 0);
}

/** cos32 of four lanes. A vector with a lane beyond ±2^20 is taken lane by lane. */
// @ts-ignore: decorator
@inline
export function cos4(x: v128): v128 {
  return isModerate(x) ? turned4(x, 1) : laneByLane(x, 1);
}

// @ts-ignore: decorator
@inline
function isModerate(x: v128): bool {
  return i32x4.all_true(f32x4.le(magnitude4(x), four(MODERATE)));
}

/** sin(x + turn·π/2) for |x| ≤ 2^20. */
// @ts-ignore: decorator
@inline
function turned4(x: v128, turn: i32): v128 {
  const low = lower64(x);
  const high = upper64(x);
  const lowTurns = f64x2.add(f64x2.mul(low, f64x2.splat(TWO_OVER_PI)), f64x2.splat(ROUNDER));
  const highTurns = f64x2.add(f64x2.mul(high, f64x2.splat(TWO_OVER_PI)), f64x2.splat(ROUNDER));
  const quarter = v128.shuffle<i32>(lowTurns, highTurns, 0, 2, 4, 6);
  const r = rounded32(rest64(low, lowTurns), rest64(high, highTurns));
  const result = quarterTurned4(r, i32x4.add(quarter, i32x4.splat(turn)));
  return turn ? result : v128.bitselect(x, result, f32x4.eq(x, i32x4.splat(0)));
}

// @ts-ignore: decorator
@inline
function rest64(x: v128, turns: v128): v128 {
  const count = f64x2.sub(turns, f64x2.splat(ROUNDER));
  const rest = f64x2.sub(x, f64x2.mul(count, f64x2.splat(HALF_PI_HIGH)));
  return f64x2.sub(rest, f64x2.mul(count, f64x2.splat(HALF_PI_LOW)));
}

/** sin(r + quarter·π/2) for |r| ≤ π/4; only the lowest two bits of `quarter` count. */
// @ts-ignore: decorator
@inline
function quarterTurned4(r: v128, quarter: v128): v128 {
  const z = f32x4.mul(r, r);
  const s = step(step(z, four(S3), S2), z, S1);
  const sine = f32x4.add(r, f32x4.mul(r, f32x4.mul(z, s)));
  const c = step(step(z, four(C3), C2), z, C1);
  const bend = f32x4.sub(f32x4.mul(four(HALF), z), f32x4.mul(f32x4.mul(z, z), c));
  const cosine = f32x4.sub(four(ONE), bend);
  const isCosine = i32x4.shr_s(i32x4.shl(quarter, 31), 31);
  const sign = i32x4.shl(i32x4.shr_u(quarter, 1), 31);
  return v128.xor(v128.bitselect(cosine, sine, isCosine), sign);
}

function laneByLane(x: v128, turn: i32): v128 {
  let result = f32x4.splat(turned(f32x4.extract_lane(x, 0), turn));
  result = f32x4.replace_lane(result, 1, turned(f32x4.extract_lane(x, 1), turn));
  result = f32x4.replace_lane(result, 2, turned(f32x4.extract_lane(x, 2), turn));
  return f32x4.replace_lane(result, 3, turned(f32x4.extract_lane(x, 3), turn));
}

function turned(x: f32, turn: i32): f32 {
  const a = Math.abs(x);
  if (!(a < Infinity)) return f32.NaN;
  if (a <= 1048576) return f32x4.extract_lane(turned4(f32x4.splat(x), turn), 0);
  const quarter = i32x4.splat(largeQuarter(x) + turn);
  return f32x4.extract_lane(quarterTurned4(f32x4.splat(<f32>largeRest(x)), quarter), 0);
}
