// choosePivots, pivotMass, pickPivot, gaussianColumn, eliminate, readLower and refactorWithRidge of the readable kernel.
import { exp4 } from "../../../../../tensor/kernels/simd/assembly/math/exp4";
import { storeLanes } from "../../../../../tensor/kernels/simd/assembly/product/tile";
import { highPair, lowPair, rounded } from "./lanes";
import {
  capacity, cumulated, diagonal, here, masses, pointBytes, points, pointsAcross, rows, rowsPadded,
  squaredNorms, tapeColumns, tapeExact, tapeFactor, tapeLower, tapePivots, weights, width,
} from "./problem";

/** The laws, numbered as in kernel/fast.ts. */
const EXP = 0;
const GAUSSIAN = 1;
const UNIFORM = 2;
const GREEDY = 3;

/** Rows of a diagonal at or below it are dust. */
let tolerance: f32 = 0;

/** ω² relative to the largest of the rows that are left; false when there is none. */
function weighPresent(): bool {
  let largest = -Infinity;
  const end = diagonal + (<usize>rows << 2);
  const dust = tolerance;
  let from = squaredNorms;
  for (let d = diagonal; d < end; d += 4, from += 8) {
    const logWeight = load<f64>(from);
    largest = select(logWeight, largest, i32(load<f32>(d) > dust) & i32(logWeight > largest));
  }
  if (largest == -Infinity) return false;
  const shift = f64x2.splat(largest);
  for (let i = 0; i < rowsPadded; i += 4) {
    const from = squaredNorms + (<usize>i << 3);
    const at = <usize>i << 2;
    const logs = rounded(f64x2.sub(v128.load(from), shift), f64x2.sub(v128.load(from, 16), shift));
    const left = f32x4.gt(v128.load(diagonal + at), f32x4.splat(tolerance));
    v128.store(weights + at, v128.and(exp4(logs), left));
  }
  return true;
}

/** The mass of each row, which is 0 where only dust is left. */
function weighRows(law: i32): void {
  const one = f32x4.splat(1);
  const dust = f32x4.splat(tolerance);
  const end = diagonal + (<usize>rowsPadded << 2);
  const toWeights = weights - diagonal;
  let to = masses;
  for (let d = diagonal; d < end; d += 16, to += 32) {
    const left = v128.load(d);
    const share = v128.and(law == UNIFORM ? one : left, f32x4.gt(left, dust));
    const weight = law == UNIFORM || law == GAUSSIAN ? one : v128.load(d + toWeights);
    v128.store(to, f64x2.mul(lowPair(share), lowPair(weight)));
    v128.store(to, f64x2.mul(highPair(share), highPair(weight)), 16);
  }
}

/** Cumulates the masses in float64, row by row, and returns their sum. */
function sumMasses(): f64 {
  let total: f64 = 0;
  const end = masses + (<usize>rowsPadded << 3);
  const toSums = cumulated - masses;
  for (let mass = masses; mass < end; mass += 32) {
    total += load<f64>(mass);
    store<f64>(mass + toSums, total);
    total += load<f64>(mass, 8);
    store<f64>(mass + toSums, total, 8);
    total += load<f64>(mass, 16);
    store<f64>(mass + toSums, total, 16);
    total += load<f64>(mass, 24);
    store<f64>(mass + toSums, total, 24);
  }
  return total;
}

function sumMass(law: i32): f64 {
  weighRows(law);
  return sumMasses();
}

/** The first row with the largest mass. */
function heaviestRow(): i32 {
  let best = 0;
  let most = load<f64>(masses);
  for (let i = 1; i < rows; i++) {
    const mass = load<f64>(masses + (<usize>i << 3));
    if (mass > most) {
      most = mass;
      best = i;
    }
  }
  return best;
}

function lastRow(): i32 {
  let i = rows - 1;
  while (i >= 0 && load<f64>(masses + (<usize>i << 3)) == 0) i--;
  return i;
}

/** The first row whose cumulated mass exceeds uniform · total, or else the last row with mass. */
function pickPivot(total: f64, uniform: f64): i32 {
  const target = uniform * total;
  if (!(load<f64>(cumulated + (<usize>(rows - 1) << 3)) > target)) return lastRow();
  let from = 0;
  let to = rows - 1;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (load<f64>(cumulated + (<usize>middle << 3)) > target) to = middle;
    else from = middle + 1;
  }
  return from;
}

/**
 * The Gaussian column of the pivot and, with it eliminated, the next column of F. A pivot of which only dust is left is
 * refused; as the diagonal of the kernel is 1, that can be told before the column is computed.
 */
function eliminate(pivot: i32, rank: i32): bool {
  const down = <usize>rows << 2;
  const ofPivot = tapeFactor + (<usize>pivot << 2);
  let pivotValue: f32 = load<i32>(here + (<usize>pivot << 2)) == 0 ? 0 : 1;
  for (let t = 0; t < rank; t++) {
    const f = load<f32>(ofPivot + <usize>t * down);
    pivotValue -= f * f;
  }
  if (!(pivotValue > tolerance)) {
    store<f32>(diagonal + (<usize>pivot << 2), 0);
    return false;
  }
  const root = f32x4.splat(sqrt<f32>(pivotValue));
  const column = tapeColumns + <usize>rank * down;
  const kernelEnd = rows & ~7;
  let i = 0;
  for (; i < kernelEnd; i += 8) columnOf(pivot, i, column, ofPivot, rank, root, true);
  for (; i < rows; i += 4) columnOf(pivot, i, column, ofPivot, rank, root, false);
  store<f32>(diagonal + (<usize>pivot << 2), 0);
  return true;
}

/** exp(−squared/2) in the rows that are present. */
// @ts-ignore: decorator
@inline
function gaussian(squared: v128, row: usize): v128 {
  return v128.and(exp4(f32x4.mul(f32x4.splat(-0.5), squared)), v128.load(here + row));
}

/** d ← max(d − f², 0) */
// @ts-ignore: decorator
@inline
function lessen(row: usize, f: v128): void {
  const left = f32x4.sub(v128.load(diagonal + row), f32x4.mul(f, f));
  v128.store(diagonal + row, f32x4.pmax(f32x4.splat(0), left));
}

/** Rows i to i + 3, or to i + 7 when `two`, of the Gaussian column and of the column of F. */
// @ts-ignore: decorator
@inline
function columnOf(pivot: i32, i: i32, column: usize, ofPivot: usize, rank: i32, root: v128, two: bool): void {
  const at = <usize>i << 2;
  const across = <usize>rowsPadded << 2;
  const down = <usize>rows << 2;
  let coordinate = points + <usize>pivot * pointBytes;
  const last = coordinate + (<usize>width << 2);
  let squared = f32x4.splat(0);
  let squared2 = squared;
  for (let from = pointsAcross + at; coordinate < last; coordinate += 4, from += across) {
    const x = v128.load32_splat(coordinate);
    const difference = f32x4.sub(v128.load(from), x);
    squared = f32x4.add(squared, f32x4.mul(difference, difference));
    if (two) {
      const difference2 = f32x4.sub(v128.load(from, 16), x);
      squared2 = f32x4.add(squared2, f32x4.mul(difference2, difference2));
    }
  }
  const kernel = gaussian(squared, at);
  const kernel2 = two ? gaussian(squared2, at + 16) : kernel;
  if (two) {
    v128.store(column + at, kernel);
    v128.store(column + at, kernel2, 16);
  } else {
    storeLanes(column + at, kernel, rows - i);
  }
  let rest = kernel;
  let rest2 = kernel2;
  let scale = ofPivot;
  const factor = tapeFactor + <usize>rank * down;
  for (let f = tapeFactor + at; f < factor; f += down, scale += down) {
    const s = v128.load32_splat(scale);
    rest = f32x4.sub(rest, f32x4.mul(v128.load(f), s));
    if (two) rest2 = f32x4.sub(rest2, f32x4.mul(v128.load(f, 16), s));
  }
  const f = f32x4.div(rest, root);
  lessen(at, f);
  if (two) {
    const f2 = f32x4.div(rest2, root);
    v128.store(factor + at, f);
    v128.store(factor + at, f2, 16);
    lessen(at + 16, f2);
  } else {
    storeLanes(factor + at, f, rows - i);
  }
}

/** Pivots from first to last, drawn with `uniforms` or, when `held` is not 0, given; returns the rank reached. */
export function choosePivots(law: i32, uniforms: usize, held: usize): i32 {
  tolerance = <f32>(<f64>max(8, capacity) * 5.9604644775390625e-8);
  const weighted = law == EXP || law == GREEDY;
  let rank = 0;
  for (let step = 0; step < capacity; step++) {
    let pivot: i32;
    if (held != 0) {
      pivot = load<i32>(held + (<usize>step << 2));
      if (pivot < 0) break;
    } else {
      if (weighted && rank == 0) weighPresent();
      let total = sumMass(law);
      if (weighted && total == 0 && weighPresent()) total = sumMass(law);
      if (total == 0) break;
      pivot = law == GREEDY ? heaviestRow() : pickPivot(total, load<f64>(uniforms + (<usize>step << 3)));
    }
    if (eliminate(pivot, rank)) {
      store<i32>(tapePivots + (<usize>rank << 2), pivot);
      rank++;
    }
  }
  for (let t = rank; t < capacity; t++) store<i32>(tapePivots + (<usize>t << 2), -1);
  return rank;
}

// @ts-ignore: decorator
@inline
function lowerAt(s: i32, t: i32): usize {
  return tapeLower + ((<usize>s * <usize>capacity + <usize>t) << 2);
}

/** L, read off the pivots' rows of F. */
export function readLower(rank: i32): void {
  for (let s = 0; s < rank; s++) {
    let f = tapeFactor + (<usize>load<i32>(tapePivots + (<usize>s << 2)) << 2);
    for (let t = 0; t <= s; t++, f += <usize>rows << 2) store<f32>(lowerAt(s, t), load<f32>(f));
  }
}

/** L of the pivots' matrix with the ridge on its diagonal, and F = A[:,S] L⁻ᵀ. */
export function refactorWithRidge(rank: i32, ridge: f64): void {
  const down = <usize>rows << 2;
  for (let t = 0; t < rank; t++) {
    const column = tapeColumns + <usize>t * down;
    const factor = tapeFactor + <usize>t * down;
    const ofPivot = <usize>load<i32>(tapePivots + (<usize>t << 2)) << 2;
    let g = load<f32>(column + ofPivot);
    for (let u = 0; u < t; u++) g -= load<f32>(tapeFactor + <usize>u * down + ofPivot) * load<f32>(lowerAt(t, u));
    const root = sqrt<f32>(<f32>(<f64>g + ridge));
    const divisor = f32x4.splat(root);
    for (let i = 0; i < rows; i += 4) {
      const at = <usize>i << 2;
      let rest = v128.load(column + at);
      let scale = lowerAt(t, 0);
      for (let f = tapeFactor + at; f < factor; f += down, scale += 4) {
        rest = f32x4.sub(rest, f32x4.mul(v128.load(f), v128.load32_splat(scale)));
      }
      storeLanes(factor + at, f32x4.div(rest, divisor), rows - i);
    }
    store<f32>(lowerAt(t, t), root);
    for (let s = t + 1; s < rank; s++) {
      store<f32>(lowerAt(s, t), load<f32>(factor + (<usize>load<i32>(tapePivots + (<usize>s << 2)) << 2)));
    }
  }
}

/** Marks the pivots, in whose rows and columns the approximation is exact when there is no ridge. */
export function markExact(rank: i32, ridge: f64): void {
  memory.fill(tapeExact, 0, rows);
  if (ridge != 0) return;
  for (let t = 0; t < rank; t++) store<u8>(tapeExact + load<i32>(tapePivots + (<usize>t << 2)), 1);
}
