// Folds of a list in the documented order: blocks of 4096 elements in 16 interleaved lanes (four vectors), the lanes by
// halves, the blocks pairwise. Sums need that order; a largest or smallest element comes out the same in any.

export const SUM = 0;
export const MAX = 1;
export const MIN = 2;
/** Σ x·y, each product rounded before it is added. */
export const DOT = 3;

/** Elements in a block, and their bytes. */
export const BLOCK = 4096;

/** Lanes of a block. */
export const LANES = 16;

// @ts-ignore: decorator
@inline
export function neutral(op: i32): v128 {
  return op == MAX ? f32x4.splat(-Infinity) : op == MIN ? f32x4.splat(Infinity) : f32x4.splat(0);
}

// @ts-ignore: decorator
@inline
export function combine(op: i32, a: v128, b: v128): v128 {
  return op == MAX ? f32x4.max(a, b) : op == MIN ? f32x4.min(a, b) : f32x4.add(a, b);
}

/** n < 4 elements in the first lanes, the others as in `rest`. */
// @ts-ignore: decorator
@inline
export function loadPart(at: usize, n: i32, rest: v128): v128 {
  if (n == 1) return v128.load32_lane(at, rest, 0);
  const two = v128.load64_lane(at, rest, 0);
  return n == 2 ? two : v128.load32_lane(at + 8, two, 2);
}

/** Writes the first n < 4 lanes. */
// @ts-ignore: decorator
@inline
export function storePart(at: usize, n: i32, value: v128): void {
  if (n == 1) return v128.store32_lane(at, value, 0);
  v128.store64_lane(at, value, 0);
  if (n == 3) v128.store32_lane(at + 8, value, 2);
}

/** Four elements: x, or x·y where y lies `other` bytes after x. */
// @ts-ignore: decorator
@inline
function four(op: i32, at: usize, other: usize): v128 {
  const x = v128.load(at);
  return op == DOT ? f32x4.mul(x, v128.load(at + other)) : x;
}

// @ts-ignore: decorator
@inline
function part(op: i32, at: usize, n: i32, other: usize): v128 {
  const x = loadPart(at, n, neutral(op));
  return op == DOT ? f32x4.mul(x, loadPart(at + other, n, neutral(op))) : x;
}

/** One value from four lanes, by halves. */
// @ts-ignore: decorator
@inline
export function halves(op: i32, v: v128): f32 {
  const two = combine(op, v, i32x4.shuffle(v, v, 2, 3, 2, 3));
  return f32x4.extract_lane(combine(op, two, i32x4.shuffle(two, two, 1, 1, 1, 1)), 0);
}

/** A block of at most 4096. */
// @ts-ignore: decorator
@inline
function blockOf(op: i32, start: usize, length: i32, other: usize): f32 {
  let a = neutral(op);
  let b = a;
  let c = a;
  let d = a;
  let at = start;
  for (const end = start + (<usize>(length & ~15) << 2); at < end; at += 64) {
    a = combine(op, a, four(op, at, other));
    b = combine(op, b, four(op, at + 16, other));
    c = combine(op, c, four(op, at + 32, other));
    d = combine(op, d, four(op, at + 48, other));
  }
  const rest = length & 15;
  if (rest) {
    const n = rest & 3;
    if (rest >= 12) {
      a = combine(op, a, four(op, at, other));
      b = combine(op, b, four(op, at + 16, other));
      c = combine(op, c, four(op, at + 32, other));
      if (n) d = combine(op, d, part(op, at + 48, n, other));
    } else if (rest >= 8) {
      a = combine(op, a, four(op, at, other));
      b = combine(op, b, four(op, at + 16, other));
      if (n) c = combine(op, c, part(op, at + 32, n, other));
    } else if (rest >= 4) {
      a = combine(op, a, four(op, at, other));
      if (n) b = combine(op, b, part(op, at + 16, n, other));
    } else a = combine(op, a, part(op, at, n, other));
  }
  return halves(op, combine(op, combine(op, a, c), combine(op, b, d)));
}

/** How many elements the first half of the blocks holds, the larger one when their number is odd. */
export function middleOf(length: i32): i32 {
  return (((length + BLOCK - 1) / BLOCK + 1) / 2) * BLOCK;
}

export function sumOf(start: usize, length: i32): f32 {
  if (length <= BLOCK) return blockOf(SUM, start, length, 0);
  const left = middleOf(length);
  return sumOf(start, left) + sumOf(start + (<usize>left << 2), length - left);
}

/** Σ x·y of two lists, products rounded first. */
export function dotOf(x: usize, y: usize, length: i32): f32 {
  if (length <= BLOCK) return blockOf(DOT, x, length, y - x);
  const left = middleOf(length);
  const bytes = <usize>left << 2;
  return dotOf(x, y, left) + dotOf(x + bytes, y + bytes, length - left);
}

/** The largest element, NaN if there is one; −∞ of nothing. */
export function maxOf(start: usize, length: i32): f32 {
  return blockOf(MAX, start, length, 0);
}

/** The smallest element, NaN if there is one; ∞ of nothing. */
export function minOf(start: usize, length: i32): f32 {
  return blockOf(MIN, start, length, 0);
}
