import { four, INFINITE, NOT_A_NUMBER, ONE, sign4 } from "./constant";
import { correctedLog4, logExponent4, logFraction4 } from "./log-reduction";

const MINUS_ONE = memory.data<f32>([-1]);
const MINUS_INFINITE = memory.data<f32>([-Infinity]);

/** log1p32 of four lanes. A vector with a lane that is not finite or not above −1 takes the longer way. */
// @ts-ignore: decorator
@inline
export function log1p4(x: v128): v128 {
  const usual = v128.and(f32x4.gt(x, four(MINUS_ONE)), f32x4.lt(x, four(INFINITE)));
  return i32x4.all_true(usual) ? log1pUsual4(x) : log1pUnusual4(x, usual);
}

/** log1p32 of lanes from 0 to 1, or NaN. */
// @ts-ignore: decorator
@inline
export function log1pOfUnit4(x: v128): v128 {
  const u = f32x4.add(four(ONE), x);
  return log1pOf4(x, u, f32x4.sub(x, f32x4.sub(u, four(ONE))));
}

// @ts-ignore: decorator
@inline
function log1pUsual4(x: v128): v128 {
  // What the sum 1 + x loses, exact whichever of the two is larger.
  const u = f32x4.add(four(ONE), x);
  const back = f32x4.sub(u, x);
  const lost = f32x4.add(f32x4.sub(four(ONE), back), f32x4.sub(x, f32x4.sub(u, back)));
  return v128.or(log1pOf4(x, u, lost), sign4(x));
}

// @ts-ignore: decorator
@inline
function log1pOf4(x: v128, u: v128, lost: v128): v128 {
  const e = logExponent4(u);
  const direct = i32x4.eq(e, i32x4.splat(0));
  const correction = v128.andnot(f32x4.div(lost, u), direct);
  return correctedLog4(e, v128.bitselect(x, logFraction4(u, e), direct), correction);
}

function log1pUnusual4(x: v128, usual: v128): v128 {
  const limit = v128.bitselect(x, four(NOT_A_NUMBER), f32x4.gt(x, i32x4.splat(0)));
  const other = v128.bitselect(four(MINUS_INFINITE), limit, f32x4.eq(x, four(MINUS_ONE)));
  return v128.bitselect(log1pUsual4(x), other, usual);
}
