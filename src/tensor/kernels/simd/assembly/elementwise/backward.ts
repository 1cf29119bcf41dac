import { geluSlope4 } from "../math/gelu-slope4";
import { geluTanhSlope4 } from "../math/gelu-tanh-slope4";
import { sigmoid4 } from "../math/sigmoid4";
import { storeSome } from "./tail";

// out[i] = g[i]·slope, 0 where g is 0: `at` has y for tanh and sigmoid, x for the others.

const TANH: i32 = 0;
const SIGMOID: i32 = 1;
const RELU: i32 = 2;
const SOFTPLUS: i32 = 3;
const GELU: i32 = 4;
const GELU_TANH: i32 = 5;

// @ts-ignore: decorator
@inline
function slope(op: i32, at: v128): v128 {
  const one = f32x4.splat(1);
  if (op == TANH) return f32x4.sub(one, f32x4.mul(at, at));
  if (op == SIGMOID) return f32x4.mul(at, f32x4.sub(one, at));
  if (op == SOFTPLUS) return sigmoid4(at);
  return op == GELU ? geluSlope4(at) : geluTanhSlope4(at);
}

// @ts-ignore: decorator
@inline
function gradient(op: i32, g: usize, at: usize): v128 {
  const cotangent = v128.load(g);
  const zero = i32x4.splat(0);
  const point = v128.load(at);
  if (op == RELU) return v128.andnot(cotangent, f32x4.le(point, zero));
  return v128.andnot(f32x4.mul(cotangent, slope(op, point)), f32x4.eq(cotangent, zero));
}

// @ts-ignore: decorator
@inline
function map(op: i32, g: usize, at: usize, out: usize, n: i32): void {
  if (n >= 8) {
    const end = out + (<usize>(n & ~7) << 2);
    do {
      const a = gradient(op, g, at);
      const b = gradient(op, g + 16, at + 16);
      v128.store(out, a);
      v128.store(out, b, 16);
      g += 32;
      at += 32;
      out += 32;
    } while (out < end);
    n &= 7;
  }
  for (; n >= 4; n -= 4, g += 16, at += 16, out += 16) v128.store(out, gradient(op, g, at));
  if (n) storeSome(out, gradient(op, g, at), n);
}

export function tanhBackward(g: usize, at: usize, out: usize, n: i32): void {
  map(TANH, g, at, out, n);
}

export function sigmoidBackward(g: usize, at: usize, out: usize, n: i32): void {
  map(SIGMOID, g, at, out, n);
}

export function reluBackward(g: usize, at: usize, out: usize, n: i32): void {
  map(RELU, g, at, out, n);
}

export function softplusBackward(g: usize, at: usize, out: usize, n: i32): void {
  map(SOFTPLUS, g, at, out, n);
}

export function geluBackward(g: usize, at: usize, out: usize, n: i32): void {
  map(GELU, g, at, out, n);
}

export function geluTanhBackward(g: usize, at: usize, out: usize, n: i32): void {
  map(GELU_TANH, g, at, out, n);
}
