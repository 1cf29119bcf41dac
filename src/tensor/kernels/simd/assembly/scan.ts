// Running sums and products along the middle axis of x `[outer, length, inner]`, in order.

const SUM = 0;
const PROD = 1;

/** Lists of neighbours, four at a time so that their chains overlap. */
// @ts-ignore: decorator
@inline
function lists(op: i32, x: usize, outer: i32, length: i32, out: usize): void {
  const bytes = <usize>length << 2;
  let o = 0;
  for (; o + 4 <= outer; o += 4) {
    let a: f32 = op == SUM ? -0.0 : 1;
    let b = a;
    let c = a;
    let d = a;
    for (let at: usize = 0; at < bytes; at += 4) {
      const from = x + at;
      const to = out + at;
      a = op == SUM ? a + load<f32>(from) : a * load<f32>(from);
      b = op == SUM ? b + load<f32>(from + bytes) : b * load<f32>(from + bytes);
      c = op == SUM ? c + load<f32>(from + 2 * bytes) : c * load<f32>(from + 2 * bytes);
      d = op == SUM ? d + load<f32>(from + 3 * bytes) : d * load<f32>(from + 3 * bytes);
      store<f32>(to, a);
      store<f32>(to + bytes, b);
      store<f32>(to + 2 * bytes, c);
      store<f32>(to + 3 * bytes, d);
    }
    x += bytes << 2;
    out += bytes << 2;
  }
  for (; o < outer; o++) {
    let a: f32 = op == SUM ? -0.0 : 1;
    for (let at: usize = 0; at < bytes; at += 4) {
      a = op == SUM ? a + load<f32>(x + at) : a * load<f32>(x + at);
      store<f32>(out + at, a);
    }
    x += bytes;
    out += bytes;
  }
}

/** Rows of `inner`, each from the row before. */
// @ts-ignore: decorator
@inline
function rows(op: i32, x: usize, outer: i32, length: i32, inner: i32, out: usize): void {
  const row = <usize>inner << 2;
  const whole = <usize>(inner & ~3) << 2;
  for (let o = 0; o < outer; o++) {
    memory.copy(out, x, length ? row : 0);
    for (let i = 1; i < length; i++) {
      const before = out;
      x += row;
      out += row;
      let j: usize = 0;
      for (; j < whole; j += 16) {
        const a = v128.load(before + j);
        const b = v128.load(x + j);
        v128.store(out + j, op == SUM ? f32x4.add(a, b) : f32x4.mul(a, b));
      }
      for (; j < row; j += 4) {
        const a = load<f32>(before + j);
        const b = load<f32>(x + j);
        store<f32>(out + j, op == SUM ? a + b : a * b);
      }
    }
    x += length ? row : 0;
    out += length ? row : 0;
  }
}

export function sum(x: usize, outer: i32, length: i32, inner: i32, out: usize): void {
  if (inner == 1) lists(SUM, x, outer, length, out);
  else rows(SUM, x, outer, length, inner, out);
}

export function prod(x: usize, outer: i32, length: i32, inner: i32, out: usize): void {
  if (inner == 1) lists(PROD, x, outer, length, out);
  else rows(PROD, x, outer, length, inner, out);
}
