// Vectors of 8 entries, of four matrices side by side: entry i of all four at 16·i bytes.
import { VECTOR } from "./matrices";

/** x·y: four partial sums over every fourth entry, then (s0 + s2) + (s1 + s3). */
// @ts-ignore: decorator
@inline
export function dot(x: usize, y: usize): v128 {
  let s0 = f32x4.mul(v128.load(x), v128.load(y));
  let s1 = f32x4.mul(v128.load(x, 16), v128.load(y, 16));
  let s2 = f32x4.mul(v128.load(x, 32), v128.load(y, 32));
  let s3 = f32x4.mul(v128.load(x, 48), v128.load(y, 48));
  s0 = f32x4.add(s0, f32x4.mul(v128.load(x, 64), v128.load(y, 64)));
  s1 = f32x4.add(s1, f32x4.mul(v128.load(x, 80), v128.load(y, 80)));
  s2 = f32x4.add(s2, f32x4.mul(v128.load(x, 96), v128.load(y, 96)));
  s3 = f32x4.add(s3, f32x4.mul(v128.load(x, 112), v128.load(y, 112)));
  return f32x4.add(f32x4.add(s0, s2), f32x4.add(s1, s3));
}

/** out += factor·x */
// @ts-ignore: decorator
@inline
export function addScaled(out: usize, factor: v128, x: usize): void {
  addHalf(out, factor, x);
  addHalf(out + 64, factor, x + 64);
}

// @ts-ignore: decorator
@inline
function addHalf(out: usize, factor: v128, x: usize): void {
  v128.store(out, f32x4.add(v128.load(out), f32x4.mul(factor, v128.load(x))));
  v128.store(out, f32x4.add(v128.load(out, 16), f32x4.mul(factor, v128.load(x, 16))), 16);
  v128.store(out, f32x4.add(v128.load(out, 32), f32x4.mul(factor, v128.load(x, 32))), 32);
  v128.store(out, f32x4.add(v128.load(out, 48), f32x4.mul(factor, v128.load(x, 48))), 48);
}

/** x −= along·y */
// @ts-ignore: decorator
@inline
export function subtractScaled(x: usize, along: v128, y: usize): void {
  subtractHalf(x, along, y);
  subtractHalf(x + 64, along, y + 64);
}

// @ts-ignore: decorator
@inline
function subtractHalf(x: usize, along: v128, y: usize): void {
  v128.store(x, f32x4.sub(v128.load(x), f32x4.mul(along, v128.load(y))));
  v128.store(x, f32x4.sub(v128.load(x, 16), f32x4.mul(along, v128.load(y, 16))), 16);
  v128.store(x, f32x4.sub(v128.load(x, 32), f32x4.mul(along, v128.load(y, 32))), 32);
  v128.store(x, f32x4.sub(v128.load(x, 48), f32x4.mul(along, v128.load(y, 48))), 48);
}

/** The greatest |x_i|, NaN where an entry is NaN, over `entries` of them. */
export function greatestMagnitude(x: usize, entries: usize): v128 {
  let even = f32x4.splat(0);
  let odd = even;
  for (const end = x + (entries << 4); x < end; x += 32) {
    even = f32x4.max(even, f32x4.abs(v128.load(x)));
    odd = f32x4.max(odd, f32x4.abs(v128.load(x, 16)));
  }
  return f32x4.max(even, odd);
}

/** The power of two nearest below a positive number, kept between 2^−126 and 2^126; bits of a float32. */
// @ts-ignore: decorator
@inline
export function scaleBits(greatest: v128): v128 {
  const exponent = v128.and(greatest, i32x4.splat(0x7f800000));
  return i32x4.min_s(i32x4.max_s(exponent, i32x4.splat(1 << 23)), i32x4.splat(253 << 23));
}

/** One over a power of two given by its exponent bits. */
// @ts-ignore: decorator
@inline
export function inverseScale(bits: v128): v128 {
  return i32x4.sub(i32x4.splat(254 << 23), bits);
}

/**
 * Multiplies a vector by one over its norm, in the lanes that are set, and returns that norm; a zero vector
 * stays, with norm 0.
 *
 * The power of two that keeps squares in range changes no bit where all norms are between 2^−30 and √2: no
 * entry is scaled down then, and squares that vanish are too small to count. It is left out there.
 */
export function normalise(x: usize, lanes: v128): v128 {
  const square = dot(x, x);
  const plain = v128.and(f32x4.ge(square, f32x4.splat(2 ** -60)), f32x4.le(square, f32x4.splat(2)));
  if (!v128.all_true<i32>(plain)) return normaliseScaled(x, lanes);
  const norm = f32x4.sqrt(square);
  const inverse = f32x4.div(f32x4.splat(1), norm);
  const factor = v128.bitselect(inverse, f32x4.splat(1), lanes);
  scaleHalf(x, factor);
  scaleHalf(x + 64, factor);
  return norm;
}

// @ts-ignore: decorator
@inline
function scaleHalf(x: usize, factor: v128): void {
  v128.store(x, f32x4.mul(v128.load(x), factor));
  v128.store(x, f32x4.mul(v128.load(x, 16), factor), 16);
  v128.store(x, f32x4.mul(v128.load(x, 32), factor), 32);
  v128.store(x, f32x4.mul(v128.load(x, 48), factor), 48);
}

function normaliseScaled(x: usize, lanes: v128): v128 {
  const greatest = greatestMagnitude(x, 8);
  const bits = scaleBits(greatest);
  const scale = inverseScale(bits);
  const x0 = f32x4.mul(v128.load(x), scale);
  const x1 = f32x4.mul(v128.load(x, 16), scale);
  const x2 = f32x4.mul(v128.load(x, 32), scale);
  const x3 = f32x4.mul(v128.load(x, 48), scale);
  const x4 = f32x4.mul(v128.load(x, 64), scale);
  const x5 = f32x4.mul(v128.load(x, 80), scale);
  const x6 = f32x4.mul(v128.load(x, 96), scale);
  const x7 = f32x4.mul(v128.load(x, 112), scale);
  const s0 = f32x4.add(f32x4.mul(x0, x0), f32x4.mul(x4, x4));
  const s1 = f32x4.add(f32x4.mul(x1, x1), f32x4.mul(x5, x5));
  const s2 = f32x4.add(f32x4.mul(x2, x2), f32x4.mul(x6, x6));
  const s3 = f32x4.add(f32x4.mul(x3, x3), f32x4.mul(x7, x7));
  const norm = f32x4.sqrt(f32x4.add(f32x4.add(s0, s2), f32x4.add(s1, s3)));
  const inverse = f32x4.div(f32x4.splat(1), norm);
  const changed = v128.and(lanes, f32x4.gt(greatest, f32x4.splat(0)));
  put(x, f32x4.mul(x0, inverse), changed);
  put(x + 16, f32x4.mul(x1, inverse), changed);
  put(x + 32, f32x4.mul(x2, inverse), changed);
  put(x + 48, f32x4.mul(x3, inverse), changed);
  put(x + 64, f32x4.mul(x4, inverse), changed);
  put(x + 80, f32x4.mul(x5, inverse), changed);
  put(x + 96, f32x4.mul(x6, inverse), changed);
  put(x + 112, f32x4.mul(x7, inverse), changed);
  return f32x4.mul(norm, bits);
}

/** Stores a value in the lanes that are set. */
// @ts-ignore: decorator
@inline
export function put(at: usize, value: v128, lanes: v128): void {
  v128.store(at, v128.bitselect(value, v128.load(at), lanes));
}
