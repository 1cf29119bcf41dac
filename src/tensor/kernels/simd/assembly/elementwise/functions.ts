import { erf4 } from "../math/erf4";
import { exp4 } from "../math/exp4";
import { expm14 } from "../math/expm14";
import { geluSlope4 } from "../math/gelu-slope4";
import { geluTanhSlope4 } from "../math/gelu-tanh-slope4";
import { geluTanh4 } from "../math/gelu-tanh4";
import { gelu4 } from "../math/gelu4";
import { log1p4 } from "../math/log1p4";
import { log4 } from "../math/log4";
import { sigmoid4 } from "../math/sigmoid4";
import { cos4, sin4 } from "../math/sin-cos4";
import { softplus4 } from "../math/softplus4";
import { tanh4 } from "../math/tanh4";
import { abs4, neg4, reciprocal4, relu4, signum4 } from "./simple-functions";

// Numbers for the functions, so that the loop over an array is written once: the compiler settles them.
export const NEG: i32 = 0;
export const ABS: i32 = 1;
export const SIGN: i32 = 2;
export const SQRT: i32 = 3;
export const SQUARE: i32 = 4;
export const RECIPROCAL: i32 = 5;
export const RELU: i32 = 6;
export const EXP: i32 = 7;
export const LOG: i32 = 8;
export const LOG1P: i32 = 9;
export const EXPM1: i32 = 10;
export const SIN: i32 = 11;
export const COS: i32 = 12;
export const TANH: i32 = 13;
export const SIGMOID: i32 = 14;
export const SOFTPLUS: i32 = 15;
export const ERF: i32 = 16;
export const GELU: i32 = 17;
export const GELU_TANH: i32 = 18;
export const GELU_SLOPE: i32 = 19;
export const GELU_TANH_SLOPE: i32 = 20;

/** The function of number `op` of four lanes. */
// @ts-ignore: decorator
@inline
export function apply(op: i32, x: v128): v128 {
  if (op == NEG) return neg4(x);
  if (op == ABS) return abs4(x);
  if (op == SIGN) return signum4(x);
  if (op == SQRT) return f32x4.sqrt(x);
  if (op == SQUARE) return f32x4.mul(x, x);
  if (op == RECIPROCAL) return reciprocal4(x);
  if (op == RELU) return relu4(x);
  if (op == EXP) return exp4(x);
  if (op == LOG) return log4(x);
  if (op == LOG1P) return log1p4(x);
  if (op == EXPM1) return expm14(x);
  if (op == SIN) return sin4(x);
  if (op == COS) return cos4(x);
  if (op == TANH) return tanh4(x);
  if (op == SIGMOID) return sigmoid4(x);
  if (op == SOFTPLUS) return softplus4(x);
  if (op == ERF) return erf4(x);
  if (op == GELU) return gelu4(x);
  if (op == GELU_TANH) return geluTanh4(x);
  if (op == GELU_SLOPE) return geluSlope4(x);
  return geluTanhSlope4(x);
}
