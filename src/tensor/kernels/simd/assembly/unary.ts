// out[i] = f(x[i]) for n neighbouring numbers.
import * as functions from "./elementwise/functions";
import { storeSome } from "./elementwise/tail";

export {
  geluBackward,
  geluTanhBackward,
  reluBackward,
  sigmoidBackward,
  softplusBackward,
  tanhBackward,
} from "./elementwise/backward";

/**
 * `width` vectors at a time, 4, 2 or 1: the processor then has independent work while one waits, and the loop's constants are
 * loaded once for all. Wide where the function is short or often used; two where four would not fit the registers.
 */
// @ts-ignore: decorator
@inline
function map(op: i32, width: i32, x: usize, out: usize, n: i32): void {
  if (width == 4) {
    for (const end = x + (<usize>(n & ~15) << 2); x < end; x += 64, out += 64) {
      const a = functions.apply(op, v128.load(x));
      const b = functions.apply(op, v128.load(x, 16));
      const c = functions.apply(op, v128.load(x, 32));
      const d = functions.apply(op, v128.load(x, 48));
      v128.store(out, a);
      v128.store(out, b, 16);
      v128.store(out, c, 32);
      v128.store(out, d, 48);
    }
    n &= 15;
  }
  if (width == 2 && n >= 8) {
    const end = x + (<usize>(n & ~7) << 2);
    do {
      const a = functions.apply(op, v128.load(x));
      const b = functions.apply(op, v128.load(x, 16));
      v128.store(out, a);
      v128.store(out, b, 16);
      x += 32;
      out += 32;
    } while (x < end);
    n &= 7;
  }
  for (const end = x + (<usize>(n & ~3) << 2); x < end; x += 16, out += 16) {
    v128.store(out, functions.apply(op, v128.load(x)));
  }
  // The last vector is read beyond the end, which the arena allows, and written up to it.
  if (n & 3) storeSome(out, functions.apply(op, v128.load(x)), n & 3);
}

export function neg(x: usize, out: usize, n: i32): void {
  map(functions.NEG, 4, x, out, n);
}

export function abs(x: usize, out: usize, n: i32): void {
  map(functions.ABS, 4, x, out, n);
}

export function sign(x: usize, out: usize, n: i32): void {
  map(functions.SIGN, 1, x, out, n);
}

export function sqrt(x: usize, out: usize, n: i32): void {
  map(functions.SQRT, 4, x, out, n);
}

export function square(x: usize, out: usize, n: i32): void {
  map(functions.SQUARE, 4, x, out, n);
}

export function reciprocal(x: usize, out: usize, n: i32): void {
  map(functions.RECIPROCAL, 4, x, out, n);
}

export function relu(x: usize, out: usize, n: i32): void {
  map(functions.RELU, 4, x, out, n);
}

export function exp(x: usize, out: usize, n: i32): void {
  map(functions.EXP, 4, x, out, n);
}

export function log(x: usize, out: usize, n: i32): void {
  map(functions.LOG, 4, x, out, n);
}

export function log1p(x: usize, out: usize, n: i32): void {
  map(functions.LOG1P, 1, x, out, n);
}

export function expm1(x: usize, out: usize, n: i32): void {
  map(functions.EXPM1, 1, x, out, n);
}

export function sin(x: usize, out: usize, n: i32): void {
  map(functions.SIN, 1, x, out, n);
}

export function cos(x: usize, out: usize, n: i32): void {
  map(functions.COS, 1, x, out, n);
}

export function tanh(x: usize, out: usize, n: i32): void {
  map(functions.TANH, 4, x, out, n);
}

export function sigmoid(x: usize, out: usize, n: i32): void {
  map(functions.SIGMOID, 4, x, out, n);
}

export function softplus(x: usize, out: usize, n: i32): void {
  map(functions.SOFTPLUS, 4, x, out, n);
}

export function erf(x: usize, out: usize, n: i32): void {
  map(functions.ERF, 1, x, out, n);
}

export function gelu(x: usize, out: usize, n: i32): void {
  map(functions.GELU, 2, x, out, n);
}

export function geluTanh(x: usize, out: usize, n: i32): void {
  map(functions.GELU_TANH, 4, x, out, n);
}

export function geluSlope(x: usize, out: usize, n: i32): void {
  map(functions.GELU_SLOPE, 2, x, out, n);
}

export function geluTanhSlope(x: usize, out: usize, n: i32): void {
  map(functions.GELU_TANH_SLOPE, 1, x, out, n);
}
