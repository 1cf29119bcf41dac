import { four, INFINITE, LEAST_NORMAL, NOT_A_NUMBER } from "./constant";
import { logExponent4, logFraction4, logOfReduced4 } from "./log-reduction";

const NORMALS = memory.data<i32>([0x7f000000]);
const TWO_TO_24 = memory.data<f32>([16777216]);
const MINUS_INFINITE = memory.data<f32>([-Infinity]);

/** log32 of four lanes. A vector with a lane that is not positive, normal and finite takes the longer way. */
// @ts-ignore: decorator
@inline
export function log4(x: v128): v128 {
  const unusual = i32x4.ge_u(i32x4.sub(x, four(LEAST_NORMAL)), four(NORMALS));
  if (v128.any_true(unusual)) return log4Unusual(x);
  const e = logExponent4(x);
  return logOfReduced4(e, logFraction4(x, e));
}

/** With subnormal lanes, zeros, infinities, NaN or negative numbers. */
function log4Unusual(x: v128): v128 {
  const subnormal = f32x4.lt(x, four(LEAST_NORMAL));
  const scaled = v128.bitselect(f32x4.mul(x, four(TWO_TO_24)), x, subnormal);
  const e = logExponent4(scaled);
  const less = v128.and(subnormal, i32x4.splat(24));
  const ordinary = logOfReduced4(i32x4.sub(e, less), logFraction4(scaled, e));
  const finite = v128.bitselect(ordinary, four(INFINITE), f32x4.lt(x, four(INFINITE)));
  const zero = i32x4.splat(0);
  const positive = v128.bitselect(finite, four(NOT_A_NUMBER), f32x4.gt(x, zero));
  return v128.bitselect(four(MINUS_INFINITE), positive, f32x4.eq(x, zero));
}
