// out = a op b for one or more rows, with broadcasting of a row, of a column or of a number.
import { ADD, DIV, MAXIMUM, MINIMUM, MUL, POW, SCALE, SUB } from "./elementwise/arithmetic";
import { rowsOf } from "./elementwise/rows";

export function add(
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  rowsOf(ADD, a, rowsA, stepA, b, rowsB, stepB, out, rows, n);
}

export function sub(
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  rowsOf(SUB, a, rowsA, stepA, b, rowsB, stepB, out, rows, n);
}

export function mul(
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  rowsOf(MUL, a, rowsA, stepA, b, rowsB, stepB, out, rows, n);
}

export function div(
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  rowsOf(DIV, a, rowsA, stepA, b, rowsB, stepB, out, rows, n);
}

export function pow(
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  rowsOf(POW, a, rowsA, stepA, b, rowsB, stepB, out, rows, n);
}

export function maximum(
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  rowsOf(MAXIMUM, a, rowsA, stepA, b, rowsB, stepB, out, rows, n);
}

export function minimum(
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  rowsOf(MINIMUM, a, rowsA, stepA, b, rowsB, stepB, out, rows, n);
}

export function scale(
  a: usize,
  rowsA: usize,
  stepA: i32,
  b: usize,
  rowsB: usize,
  stepB: i32,
  out: usize,
  rows: i32,
  n: i32,
): void {
  rowsOf(SCALE, a, rowsA, stepA, b, rowsB, stepB, out, rows, n);
}
