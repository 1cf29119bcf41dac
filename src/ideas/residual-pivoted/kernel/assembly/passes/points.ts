// placePoints of kernel/points.ts and the start of kernel/residual.ts.
import { transpose } from "../../../../../tensor/kernels/simd/assembly/product/pack";
import { storeLanes } from "../../../../../tensor/kernels/simd/assembly/product/tile";
import { firstLanes, highPair, lowPair, rounded } from "./lanes";
import {
  centre, channels, diagonal, here, keys, pointBytes, points, pointsAcross, queries, rows, rowsPadded,
  squaredNorms, tapePoints, tapePresent, tapeSquaredNorms, values, wideBytes, width,
} from "./problem";

/** Marks the present rows; returns how many of them are keys. */
export function markPresent(queryMask: usize, keyMask: usize): i32 {
  let count = 0;
  for (let i = 0; i < rows; i++) {
    const isKey = i >= queries;
    const mask = isKey ? keyMask : queryMask;
    const present = mask == 0 ? true : load<u8>(mask + (isKey ? i - queries : i)) == 1;
    store<u8>(tapePresent + i, present ? 1 : 0);
    store<i32>(here + (<usize>i << 2), present ? -1 : 0);
    if (isKey && present) count++;
  }
  for (let i = rows; i < rowsPadded; i++) store<i32>(here + (<usize>i << 2), 0);
  return count;
}

/** The mean of the keys that are present, summed in float64. */
function centreKeys(k: usize, count: i32): void {
  const down = <usize>width << 2;
  const divisor = f64x2.splat(<f64>max(count, 1));
  for (let c = 0; c < width; c += 4) {
    let sum01 = f64x2.splat(0);
    let sum23 = sum01;
    let from = k + (<usize>c << 2);
    for (let j = queries; j < rows; j++, from += down) {
      if (load<i32>(here + (<usize>j << 2)) == 0) continue;
      const x = v128.load(from);
      sum01 = f64x2.add(sum01, lowPair(x));
      sum23 = f64x2.add(sum23, highPair(x));
    }
    v128.store(centre + (<usize>c << 2), rounded(f64x2.div(sum01, divisor), f64x2.div(sum23, divisor)));
  }
}

function scaleRows(from: usize, isKey: bool, first: i32, count: i32, scale: f32): void {
  const factor = f32x4.splat(scale);
  const down = <usize>width << 2;
  let to = points + <usize>first * pointBytes;
  let tape = tapePoints + <usize>first * down;
  for (let i = first; i < first + count; i++, from += down, to += pointBytes, tape += down) {
    const present = v128.load32_splat(here + (<usize>i << 2));
    for (let c = 0; c < width; c += 4) {
      const at = <usize>c << 2;
      let x = v128.load(from + at);
      if (isKey) x = f32x4.sub(x, v128.load(centre + at));
      x = v128.and(v128.and(f32x4.mul(x, factor), present), firstLanes(width - c));
      v128.store(to + at, x);
      storeLanes(tape + at, x, width - c);
    }
  }
}

/** Sums |x|² in float64; false when one of them is not finite. */
function sumSquares(): bool {
  const infinity = f64x2.splat(Infinity);
  const down = <usize>rowsPadded << 2;
  let finite = i32x4.splat(-1);
  for (let i = 0; i < rowsPadded; i += 4) {
    let sum01 = f64x2.splat(0);
    let sum23 = sum01;
    let from = pointsAcross + (<usize>i << 2);
    for (let c = 0; c < width; c++, from += down) {
      const x = v128.load(from);
      const x01 = lowPair(x);
      const x23 = highPair(x);
      sum01 = f64x2.add(sum01, f64x2.mul(x01, x01));
      sum23 = f64x2.add(sum23, f64x2.mul(x23, x23));
    }
    const to = squaredNorms + (<usize>i << 3);
    v128.store(to, sum01);
    v128.store(to, sum23, 16);
    finite = v128.and(finite, v128.and(f64x2.lt(sum01, infinity), f64x2.lt(sum23, infinity)));
  }
  memory.copy(tapeSquaredNorms, squaredNorms, <usize>rows << 3);
  return i32x4.all_true(finite);
}

/** Places the points, by rows and by columns; false when one that is present is not finite. */
export function placePoints(q: usize, k: usize, keysPresent: i32, scale: f32): bool {
  centreKeys(k, keysPresent);
  scaleRows(q, false, 0, queries, scale);
  scaleRows(k, true, queries, keys, scale);
  memory.fill(points + <usize>rows * pointBytes, 0, <usize>(rowsPadded - rows) * pointBytes);
  transpose(rowsPadded, pointBytes >> 2, points, pointBytes >> 2, pointsAcross, rowsPadded);
  return sumSquares();
}

/** The points of the tape, by rows, padded. */
export function readPoints(): void {
  const down = <usize>width << 2;
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < width; c += 4) {
      const x = v128.load(tapePoints + <usize>i * down + (<usize>c << 2));
      v128.store(points + <usize>i * pointBytes + (<usize>c << 2), v128.and(x, firstLanes(width - c)));
    }
  }
}

/** The unit diagonal in the rows that are present. */
export function startDiagonal(): void {
  const one = f32x4.splat(1);
  for (let i = 0; i < rowsPadded; i += 4) {
    const at = <usize>i << 2;
    v128.store(diagonal + at, v128.and(v128.load(here + at), one));
  }
}

/** [V, 1], zeros for masked keys, which are not read. */
export function padValues(v: usize): void {
  const down = <usize>channels << 2;
  let to = values;
  let from = v;
  for (let j = 0; j < keys; j++, to += wideBytes, from += down) {
    v128.store(to + wideBytes - 16, f32x4.splat(0));
    if (load<u8>(tapePresent + queries + j) == 0) {
      memory.fill(to, 0, wideBytes);
      continue;
    }
    for (let c = 0; c < channels; c += 4) {
      const x = v128.load(from + (<usize>c << 2));
      v128.store(to + (<usize>c << 2), v128.and(x, firstLanes(channels - c)));
    }
    store<f32>(to + down, 1);
  }
}
