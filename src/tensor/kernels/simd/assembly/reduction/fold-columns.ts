// Folds of every column of `[length, inner]`, each with the same bits as if it lay in one piece.
import { BLOCK, combine, LANES, MAX, MIN, middleOf, neutral, SUM } from "./fold";

/** Partial sums of one block: 16 lanes of up to 16 columns. */
const partials = memory.data(LANES * 16 * 4, 16);

/** Right halves of long columns, one row of up to 16 columns for each level of halving. */
const halvesOf = memory.data(20 * 16 * 4, 16);

/** The lanes that a block of `length` reaches, as a power of two. */
// @ts-ignore: decorator
@inline
function lanesFor(length: i32): i32 {
  let count = 1;
  while (count < LANES && count < length) count *= 2;
  return count;
}

/** Adds the upper half of `count` lanes of `width` bytes to the lower until one is left, which goes to `to`. */
// @ts-ignore: decorator
@inline
function foldLanes(op: i32, count: i32, width: i32, to: usize): void {
  for (let half = (count >> 1) * width; half >= width; half >>= 1) {
    for (let at: i32 = 0; at < half; at += 16) {
      const low = partials + at;
      v128.store(low, combine(op, v128.load(low), v128.load(low + half)));
    }
  }
  for (let at: i32 = 0; at < width; at += 16) v128.store(to + at, v128.load(partials + at));
}

/** A block of 16 columns, two lanes at a time, so that a row's 64 bytes are read together. */
// @ts-ignore: decorator
@inline
function sixteen(op: i32, x: usize, length: i32, row: usize, to: usize): void {
  const used = lanesFor(length);
  for (let lane = 0; lane < used; lane += 2) {
    let a0 = neutral(op);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    let b0 = a0;
    let b1 = a0;
    let b2 = a0;
    let b3 = a0;
    let at = x + <usize>lane * row;
    let i = lane;
    for (; i + 1 < length; i += LANES) {
      const next = at + row;
      a0 = combine(op, a0, v128.load(at));
      a1 = combine(op, a1, v128.load(at, 16));
      a2 = combine(op, a2, v128.load(at, 32));
      a3 = combine(op, a3, v128.load(at, 48));
      b0 = combine(op, b0, v128.load(next));
      b1 = combine(op, b1, v128.load(next, 16));
      b2 = combine(op, b2, v128.load(next, 32));
      b3 = combine(op, b3, v128.load(next, 48));
      at += row << 4;
    }
    if (i < length) {
      a0 = combine(op, a0, v128.load(at));
      a1 = combine(op, a1, v128.load(at, 16));
      a2 = combine(op, a2, v128.load(at, 32));
      a3 = combine(op, a3, v128.load(at, 48));
    }
    const sums = partials + (<usize>lane << 6);
    v128.store(sums, a0);
    v128.store(sums, a1, 16);
    v128.store(sums, a2, 32);
    v128.store(sums, a3, 48);
    v128.store(sums, b0, 64);
    v128.store(sums, b1, 80);
    v128.store(sums, b2, 96);
    v128.store(sums, b3, 112);
  }
  foldLanes(op, used, 64, to);
}

/** A block of 4 columns, four lanes at a time. */
// @ts-ignore: decorator
@inline
function four(op: i32, x: usize, length: i32, row: usize, to: usize): void {
  const used = lanesFor(length);
  for (let lane = 0; lane < used; lane += 4) {
    let a = neutral(op);
    let b = a;
    let c = a;
    let d = a;
    let at = x + <usize>lane * row;
    let i = lane;
    for (; i + 3 < length; i += LANES) {
      a = combine(op, a, v128.load(at));
      b = combine(op, b, v128.load(at + row));
      c = combine(op, c, v128.load(at + 2 * row));
      d = combine(op, d, v128.load(at + 3 * row));
      at += row << 4;
    }
    if (i < length) a = combine(op, a, v128.load(at));
    if (i + 1 < length) b = combine(op, b, v128.load(at + row));
    if (i + 2 < length) c = combine(op, c, v128.load(at + 2 * row));
    const sums = partials + (<usize>lane << 4);
    v128.store(sums, a);
    v128.store(sums, b, 16);
    v128.store(sums, c, 32);
    v128.store(sums, d, 48);
  }
  foldLanes(op, used, 16, to);
}

/** A block of fewer than 4 columns: 16 rows lie together and are added as one list. */
// @ts-ignore: decorator
@inline
function few(op: i32, x: usize, length: i32, row: usize, to: usize): void {
  const width = row << 4;
  for (let at: usize = 0; at < width; at += 16) v128.store(partials + at, neutral(op));
  let from = x;
  for (const end = x + <usize>(length & ~15) * row; from < end; from += width) {
    for (let at: usize = 0; at < width; at += 16) {
      v128.store(partials + at, combine(op, v128.load(partials + at), v128.load(from + at)));
    }
  }
  const rest = <usize>(length & 15) * row;
  for (let at: usize = 0; at < rest; at += 4) one(op, partials + at, from + at);
  for (let half = width >> 1; half >= row; half >>= 1) {
    for (let at: usize = 0; at < half; at += 4) one(op, partials + at, partials + at + half);
  }
  for (let at: usize = 0; at < row; at += 4) store<f32>(to + at, load<f32>(partials + at));
}

/** One element: to ← to op from. */
// @ts-ignore: decorator
@inline
function one(op: i32, to: usize, from: usize): void {
  v128.store32_lane(to, combine(op, v128.load32_splat(to), v128.load32_splat(from)), 0);
}

function sumBlock(width: i32, x: usize, length: i32, row: usize, to: usize): void {
  if (width == 16) sixteen(SUM, x, length, row, to);
  else if (width == 4) four(SUM, x, length, row, to);
  else few(SUM, x, length, row, to);
}

function maxBlock(width: i32, x: usize, length: i32, row: usize, to: usize): void {
  if (width == 16) sixteen(MAX, x, length, row, to);
  else if (width == 4) four(MAX, x, length, row, to);
  else few(MAX, x, length, row, to);
}

function minBlock(width: i32, x: usize, length: i32, row: usize, to: usize): void {
  if (width == 16) sixteen(MIN, x, length, row, to);
  else if (width == 4) four(MIN, x, length, row, to);
  else few(MIN, x, length, row, to);
}

/** `width` columns of any length: blocks pairwise. `row` is the distance of rows in bytes. */
function strip(op: i32, width: i32, x: usize, length: i32, row: usize, to: usize, level: usize): void {
  if (op == MAX) return maxBlock(width, x, length, row, to);
  if (op == MIN) return minBlock(width, x, length, row, to);
  if (length <= BLOCK) return sumBlock(width, x, length, row, to);
  const left = middleOf(length);
  const right = halvesOf + (level << 6);
  strip(op, width, x, left, row, to, level + 1);
  strip(op, width, x + <usize>left * row, length - left, row, right, level + 1);
  for (let j: usize = 0, end = <usize>width << 2; j < end; j += 4) {
    store<f32>(to + j, load<f32>(to + j) + load<f32>(right + j));
  }
}

/** out[j] = fold of column j of x `[length, inner]`. Columns that are left over at the end are folded with the ones before. */
export function foldColumns(op: i32, x: usize, length: i32, inner: i32, out: usize): void {
  const row = <usize>inner << 2;
  if (inner < 4) return strip(op, inner, x, length, row, out, 0);
  let j = 0;
  for (; j + 16 <= inner; j += 16) strip(op, 16, x + (<usize>j << 2), length, row, out + (<usize>j << 2), 0);
  for (; j + 4 <= inner; j += 4) strip(op, 4, x + (<usize>j << 2), length, row, out + (<usize>j << 2), 0);
  if (j < inner) {
    const last = <usize>(inner - 4) << 2;
    strip(op, 4, x + last, length, row, out + last, 0);
  }
}
