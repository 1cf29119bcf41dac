import { gemmOf, TERMS } from "./gemm";

/** Rows of C that are worked on at a time: one line of the cache from a stored row of A. */
const ROWS = 16;
/** The most columns: their sums and a factor just fit into sixteen registers. */
const COLUMNS = 3;

/** Whether {@link gemmOfFewColumns} is to be used: a tile four columns wide would be filled in part only. */
// @ts-ignore: decorator
@inline
export function isOfFewColumns(transposeA: bool, m: i32, n: i32, k: i32): bool {
  return transposeA && n > 0 && n <= COLUMNS && m >= ROWS && k >= ROWS;
}

/**
 * The sums of sixteen rows and `columns` columns over k terms, to `[columns, 16]` at `to`. A is stored by columns, `across`
 * bytes apart; B `step` bytes from term to term, `aside` from column to column. `columns` is a constant where this is inlined.
 */
// @ts-ignore: decorator
@inline
function sums(
  columns: i32, k: i32, a: usize, across: usize, b: usize, step: usize, aside: usize, to: usize,
): void {
  let c00 = f32x4.splat(0);
  let c01 = c00, c02 = c00, c03 = c00;
  let c10 = c00, c11 = c00, c12 = c00, c13 = c00;
  let c20 = c00, c21 = c00, c22 = c00, c23 = c00;
  for (let p = 0; p < k; p++) {
    let y = v128.load32_splat(b);
    c00 = f32x4.add(c00, f32x4.mul(v128.load(a), y));
    c01 = f32x4.add(c01, f32x4.mul(v128.load(a, 16), y));
    c02 = f32x4.add(c02, f32x4.mul(v128.load(a, 32), y));
    c03 = f32x4.add(c03, f32x4.mul(v128.load(a, 48), y));
    if (columns > 1) {
      y = v128.load32_splat(b + aside);
      c10 = f32x4.add(c10, f32x4.mul(v128.load(a), y));
      c11 = f32x4.add(c11, f32x4.mul(v128.load(a, 16), y));
      c12 = f32x4.add(c12, f32x4.mul(v128.load(a, 32), y));
      c13 = f32x4.add(c13, f32x4.mul(v128.load(a, 48), y));
    }
    if (columns > 2) {
      y = v128.load32_splat(b + 2 * aside);
      c20 = f32x4.add(c20, f32x4.mul(v128.load(a), y));
      c21 = f32x4.add(c21, f32x4.mul(v128.load(a, 16), y));
      c22 = f32x4.add(c22, f32x4.mul(v128.load(a, 32), y));
      c23 = f32x4.add(c23, f32x4.mul(v128.load(a, 48), y));
    }
    a += across;
    b += step;
  }
  storeSixteen(to, c00, c01, c02, c03);
  if (columns > 1) storeSixteen(to + 64, c10, c11, c12, c13);
  if (columns > 2) storeSixteen(to + 128, c20, c21, c22, c23);
}

// @ts-ignore: decorator
@inline
function storeSixteen(to: usize, x0: v128, x1: v128, x2: v128, x3: v128): void {
  v128.store(to, x0);
  v128.store(to, x1, 16);
  v128.store(to, x2, 32);
  v128.store(to, x3, 48);
}

/**
 * C = or += Aᵀ·B for up to three columns, as `gemmOf` with `transposeA` and to the same bits: the lanes are rows of C, so
 * that A is read as it lies. `scratch` is the address of SCRATCH bytes.
 */
export function gemmOfFewColumns(
  transposeB: bool,
  m: i32, n: i32, k: i32, a: usize, lda: i32,
  b: usize, ldb: i32, c: usize, ldc: i32, accumulate: bool, scratch: usize,
): void {
  const across = <usize>lda << 2;
  const below = <usize>ldc << 2;
  const step = transposeB ? 4 : <usize>ldb << 2;
  const aside = transposeB ? <usize>ldb << 2 : 4;
  const whole = m - (m % ROWS);
  for (let p = 0; p < k; p += TERMS) {
    const terms = min(TERMS, k - p);
    const add = accumulate || p > 0;
    const right = b + <usize>p * step;
    for (let i = 0; i < whole; i += ROWS) {
      const left = a + (<usize>(p * lda + i) << 2);
      if (n == 3) sums(3, terms, left, across, right, step, aside, scratch);
      else if (n == 2) sums(2, terms, left, across, right, step, aside, scratch);
      else sums(1, terms, left, across, right, step, aside, scratch);
      let to = c + <usize>i * below;
      for (let from = scratch; from < scratch + (ROWS << 2); from += 4, to += below) {
        for (let j = 0; j < n; j++) {
          const sum = load<f32>(from + (<usize>j << 6));
          const at = to + (<usize>j << 2);
          store<f32>(at, add ? load<f32>(at) + sum : sum);
        }
      }
    }
  }
  if (whole == m) return;
  const rest = c + <usize>whole * below;
  gemmOf(true, transposeB, m - whole, n, k, a + (<usize>whole << 2), lda, b, ldb, rest, ldc, accumulate, scratch);
}
