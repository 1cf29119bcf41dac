// Running sums and products along the middle axis of x `[outer, length, inner]`, in order. The running figures are
// float64, and rounded when they are stored.

const SUM = 0;
const PROD = 1;

// @ts-ignore: decorator
@inline
function start(op: i32): f64 {
  return op == SUM ? -0.0 : 1;
}

// @ts-ignore: decorator
@inline
function next(op: i32, running: f64, x: usize): f64 {
  const value = <f64>load<f32>(x);
  return op == SUM ? running + value : running * value;
}

/** Lists of neighbours, four at a time so that their chains overlap. */
// @ts-ignore: decorator
@inline
function lists(op: i32, x: usize, outer: i32, length: i32, out: usize): void {
  const bytes = <usize>length << 2;
  let o = 0;
  for (; o + 4 <= outer; o += 4) {
    let a = start(op);
    let b = a;
    let c = a;
    let d = a;
    for (let at: usize = 0; at < bytes; at += 4) {
      const from = x + at;
      const to = out + at;
      a = next(op, a, from);
      b = next(op, b, from + bytes);
      c = next(op, c, from + 2 * bytes);
      d = next(op, d, from + 3 * bytes);
      store<f32>(to, <f32>a);
      store<f32>(to + bytes, <f32>b);
      store<f32>(to + 2 * bytes, <f32>c);
      store<f32>(to + 3 * bytes, <f32>d);
    }
    x += bytes << 2;
    out += bytes << 2;
  }
  for (; o < outer; o++) {
    let a = start(op);
    for (let at: usize = 0; at < bytes; at += 4) {
      a = next(op, a, x + at);
      store<f32>(out + at, <f32>a);
    }
    x += bytes;
    out += bytes;
  }
}

/** Rows of `inner`; `running` has room for as many float64 figures. */
// @ts-ignore: decorator
@inline
function rows(op: i32, x: usize, outer: i32, length: i32, inner: i32, out: usize, running: usize): void {
  const row = <usize>inner << 2;
  const pairs = <usize>(inner & ~1) << 2;
  for (let o = 0; o < outer; o++) {
    for (let j: usize = 0; j < row; j += 4) store<f64>(running + (j << 1), start(op));
    for (let i = 0; i < length; i++) {
      let j: usize = 0;
      for (; j < pairs; j += 8) {
        const before = v128.load(running + (j << 1));
        const value = f64x2.promote_low_f32x4(v128.load64_zero(x + j));
        const after = op == SUM ? f64x2.add(before, value) : f64x2.mul(before, value);
        v128.store(running + (j << 1), after);
        v128.store64_lane(out + j, f32x4.demote_f64x2_zero(after), 0);
      }
      for (; j < row; j += 4) {
        const after = next(op, load<f64>(running + (j << 1)), x + j);
        store<f64>(running + (j << 1), after);
        store<f32>(out + j, <f32>after);
      }
      x += row;
      out += row;
    }
  }
}

export function sum(x: usize, outer: i32, length: i32, inner: i32, out: usize, running: usize): void {
  if (inner == 1) lists(SUM, x, outer, length, out);
  else rows(SUM, x, outer, length, inner, out, running);
}

export function prod(x: usize, outer: i32, length: i32, inner: i32, out: usize, running: usize): void {
  if (inner == 1) lists(PROD, x, outer, length, out);
  else rows(PROD, x, outer, length, inner, out, running);
}
