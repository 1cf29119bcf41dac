// Folds along the middle axis of x `[outer, length, inner]`.
import { MAX, maxOf, MIN, minOf, SUM, sumOf } from "./reduction/fold";
import { foldColumns } from "./reduction/fold-columns";
import { multiplyColumns } from "./reduction/product";

// @ts-ignore: decorator
@inline
function fold(op: i32, x: usize, outer: i32, length: i32, inner: i32, out: usize): void {
  const bytes = (<usize>length * <usize>inner) << 2;
  const step = <usize>inner << 2;
  for (let o = 0; o < outer; o++) {
    if (inner != 1) foldColumns(op, x, length, inner, out);
    else if (op == SUM) store<f32>(out, sumOf(x, length));
    else if (op == MAX) store<f32>(out, maxOf(x, length));
    else store<f32>(out, minOf(x, length));
    x += bytes;
    out += step;
  }
}

export function sum(x: usize, outer: i32, length: i32, inner: i32, out: usize): void {
  fold(SUM, x, outer, length, inner, out);
}

export function max(x: usize, outer: i32, length: i32, inner: i32, out: usize): void {
  fold(MAX, x, outer, length, inner, out);
}

export function min(x: usize, outer: i32, length: i32, inner: i32, out: usize): void {
  fold(MIN, x, outer, length, inner, out);
}

export function prod(x: usize, outer: i32, length: i32, inner: i32, out: usize): void {
  const bytes = (<usize>length * <usize>inner) << 2;
  for (let o = 0; o < outer; o++) {
    multiplyColumns(x, length, inner, out);
    x += bytes;
    out += <usize>inner << 2;
  }
}
