import { pow4 } from "../math/pow4";

// Numbers for the operations, so that the loops are written once: the compiler settles them.
export const ADD: i32 = 0;
export const SUB: i32 = 1;
export const MUL: i32 = 2;
export const DIV: i32 = 3;
export const POW: i32 = 4;
export const MAXIMUM: i32 = 5;
export const MINIMUM: i32 = 6;
export const SCALE: i32 = 7;

/** Operation number `op` of four lanes. */
// @ts-ignore: decorator
@inline
export function apply(op: i32, a: v128, b: v128): v128 {
  if (op == ADD) return f32x4.add(a, b);
  if (op == SUB) return f32x4.sub(a, b);
  if (op == MUL) return f32x4.mul(a, b);
  if (op == DIV) return f32x4.div(a, b);
  if (op == POW) return pow4(a, b);
  if (op == MAXIMUM) return f32x4.max(a, b);
  if (op == MINIMUM) return f32x4.min(a, b);
  return v128.andnot(f32x4.mul(a, b), f32x4.eq(a, i32x4.splat(0)));
}
