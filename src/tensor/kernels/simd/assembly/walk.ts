// Copies between a contiguous array and one that is walked with strides, `[n0, n1, n2, n3]`, all in elements.

/** Four elements of each of four rows, exchanged across the diagonal. `from` and `to` are the distances of rows in bytes. */
// @ts-ignore: decorator
@inline
function exchange(x: usize, from: usize, out: usize, to: usize): void {
  const a = v128.load(x);
  const b = v128.load(x + from);
  const c = v128.load(x + 2 * from);
  const d = v128.load(x + 3 * from);
  const ab = i32x4.shuffle(a, b, 0, 4, 1, 5);
  const cd = i32x4.shuffle(c, d, 0, 4, 1, 5);
  const upperAb = i32x4.shuffle(a, b, 2, 6, 3, 7);
  const upperCd = i32x4.shuffle(c, d, 2, 6, 3, 7);
  v128.store(out, i64x2.shuffle(ab, cd, 0, 2));
  v128.store(out + to, i64x2.shuffle(ab, cd, 1, 3));
  v128.store(out + 2 * to, i64x2.shuffle(upperAb, upperCd, 0, 2));
  v128.store(out + 3 * to, i64x2.shuffle(upperAb, upperCd, 1, 3));
}

/** out `[columns, rows]` = xᵀ, x `[rows, columns]`; rows of each lie `from` and `to` bytes apart. Strips of 16 columns, one cache line. */
function transpose(x: usize, from: usize, rows: i32, columns: i32, out: usize, to: usize): void {
  const rows4 = rows & ~3;
  const columns4 = columns & ~3;
  for (let strip = 0; strip < columns4; strip += 16) {
    const end = strip + 16 < columns4 ? strip + 16 : columns4;
    for (let i = 0; i < rows4; i += 4) {
      const source = x + <usize>i * from;
      const target = out + (<usize>i << 2);
      for (let j = strip; j < end; j += 4) {
        exchange(source + (<usize>j << 2), from, target + <usize>j * to, to);
      }
    }
  }
  for (let j = 0; j < columns; j++) {
    const first = j < columns4 ? rows4 : 0;
    for (let i = first; i < rows; i++) {
      store<f32>(out + <usize>j * to + (<usize>i << 2), load<f32>(x + <usize>i * from + (<usize>j << 2)));
    }
  }
}

/** n neighbours. */
// @ts-ignore: decorator
@inline
function copyRun(x: usize, out: usize, n: i32): void {
  if (n >= 256) {
    memory.copy(out, x, <usize>n << 2);
    return;
  }
  let at: usize = 0;
  for (const end = <usize>(n & ~3) << 2; at < end; at += 16) v128.store(out + at, v128.load(x + at));
  for (const end = <usize>n << 2; at < end; at += 4) store<i32>(out + at, load<i32>(x + at));
}

/** n times the same element. */
// @ts-ignore: decorator
@inline
function fill(x: usize, out: usize, n: i32): void {
  const value = v128.load32_splat(x);
  let at: usize = 0;
  for (const end = <usize>(n & ~3) << 2; at < end; at += 16) v128.store(out + at, value);
  for (const end = <usize>n << 2; at < end; at += 4) v128.store32_lane(out + at, value, 0);
}

/** out `[n2, n3]` contiguous ← x with strides in bytes. */
// @ts-ignore: decorator
@inline
function packPlane(x: usize, n2: i32, n3: i32, s2: usize, s3: usize, out: usize): void {
  const row = <usize>n3 << 2;
  if (s2 == 4 && s3 != 4 && n2 > 3 && n3 > 3) return transpose(x, s3, n3, n2, out, row);
  for (let i = 0; i < n2; i++) {
    if (s3 == 4) copyRun(x, out, n3);
    else if (s3 == 0) fill(x, out, n3);
    else for (let at: usize = 0, from = x; at < row; at += 4, from += s3) store<i32>(out + at, load<i32>(from));
    x += s2;
    out += row;
  }
}

/** out with strides in bytes ← x `[n2, n3]` contiguous. */
// @ts-ignore: decorator
@inline
function unpackPlane(x: usize, n2: i32, n3: i32, s2: usize, s3: usize, out: usize): void {
  const row = <usize>n3 << 2;
  if (s2 == 4 && s3 != 4 && n2 > 3 && n3 > 3) return transpose(x, row, n2, n3, out, s3);
  for (let i = 0; i < n2; i++) {
    if (s3 == 4) copyRun(x, out, n3);
    else for (let at: usize = 0, to = out; at < row; at += 4, to += s3) store<i32>(to, load<i32>(x + at));
    x += row;
    out += s2;
  }
}

/** out contiguous ← x walked. */
export function pack(
  x: usize,
  n0: i32,
  n1: i32,
  n2: i32,
  n3: i32,
  s0: usize,
  s1: usize,
  s2: usize,
  s3: usize,
  out: usize,
): void {
  const plane = (<usize>n2 * <usize>n3) << 2;
  for (let i = 0; i < n0; i++) {
    let from = x;
    for (let j = 0; j < n1; j++) {
      packPlane(from, n2, n3, s2 << 2, s3 << 2, out);
      from += s1 << 2;
      out += plane;
    }
    x += s0 << 2;
  }
}

/** out walked ← x contiguous. */
export function unpack(
  x: usize,
  n0: i32,
  n1: i32,
  n2: i32,
  n3: i32,
  s0: usize,
  s1: usize,
  s2: usize,
  s3: usize,
  out: usize,
): void {
  const plane = (<usize>n2 * <usize>n3) << 2;
  for (let i = 0; i < n0; i++) {
    let to = out;
    for (let j = 0; j < n1; j++) {
      unpackPlane(x, n2, n3, s2 << 2, s3 << 2, to);
      x += plane;
      to += s1 << 2;
    }
    out += s0 << 2;
  }
}
