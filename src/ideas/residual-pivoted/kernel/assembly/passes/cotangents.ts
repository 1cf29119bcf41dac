// kernel/backward.ts and kernel/solve-lower.ts.
import { transpose } from "../../../../../tensor/kernels/simd/assembly/product/pack";
import { storeLanes } from "../../../../../tensor/kernels/simd/assembly/product/tile";
import { addToRow, columnOf, combine, combineOwn } from "./combine";
import { firstLanes, highPair, lowPair, rounded, sumOfFour, sumOfPairs } from "./lanes";
import {
  capacity, channels, keys, mixedCotangents, ownColumns, ownRows, pivotCotangents, pivotPoints, pivotWeights, pointBytes,
  pointCotangents, points, queries, queryRest, querySide, querySideAcross, rankBytes, row, rowCotangents,
  rows, rowsPadded, tapeClamped, tapeColumns, tapeExact, tapeFactor, tapeFloored, tapeKeyWeights, tapeLower,
  tapeMixed, tapeNormaliser, tapePivots, tapePresent, tapeRaw, valueRest, values, valueSide,
  valueSideAcross, wideBytes, width,
} from "./problem";

/** Clears what is added to, and collects the pivots' points. */
export function startCotangents(rank: i32): void {
  memory.fill(pointCotangents, 0, <usize>rowsPadded * pointBytes);
  memory.fill(pivotCotangents, 0, <usize>rank * pointBytes);
  memory.fill(mixedCotangents, 0, <usize>rank * wideBytes);
  for (let t = 0; t < rank; t++) {
    const from = points + <usize>load<i32>(tapePivots + (<usize>t << 2)) * pointBytes;
    memory.copy(pivotPoints + <usize>t * pointBytes, from, pointBytes);
  }
}

/** H_i = ∂L/∂[N_i, Z_i], and the share of e^{|x_i|²/2} in floored rows. */
export function normaliserRows(cotangent: usize): void {
  const each = <usize>channels << 2;
  for (let i = 0; i < queries; i++) {
    if (load<u8>(tapePresent + i) == 0) continue;
    const z = load<f32>(tapeNormaliser + (<usize>i << 2));
    const divisor = f32x4.splat(z);
    const h = rowCotangents + <usize>i * wideBytes;
    v128.store(h + wideBytes - 16, f32x4.splat(0));
    let sum01 = f64x2.splat(0);
    let sum23 = sum01;
    for (let c = 0; c < channels; c += 4) {
      const at = <usize>i * each + (<usize>c << 2);
      const flags = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(tapeClamped + i * channels + c)));
      const lanes = firstLanes(channels - c);
      const flows = v128.and(i32x4.eq(flags, i32x4.splat(0)), lanes);
      const g = v128.and(v128.load(cotangent + at), flows);
      const raw = v128.and(v128.load(tapeRaw + at), lanes);
      v128.store(h + (<usize>c << 2), v128.and(f32x4.div(g, divisor), lanes));
      sum01 = f64x2.add(sum01, f64x2.mul(lowPair(g), lowPair(raw)));
      sum23 = f64x2.add(sum23, f64x2.mul(highPair(g), highPair(raw)));
    }
    const dot = <f32>sumOfPairs(sum01, sum23);
    if (load<u8>(tapeFloored + i) == 1) {
      const point = <usize>i * pointBytes;
      for (let c = 0; c < pointBytes; c += 16) {
        v128.store(pointCotangents + point + c, f32x4.mul(f32x4.splat(dot), v128.load(points + point + c)));
      }
      store<f32>(h + each, 0);
    } else {
      store<f32>(h + each, -dot / z);
    }
  }
}

/** F_qᵀ H of the queries that are not exact. */
export function mixRows(rank: i32): void {
  const down = <usize>rows << 2;
  const wide = wideBytes;
  const mixedEnd = mixedCotangents + <usize>rank * wide;
  for (let i = 0; i < queries; i++) {
    if (load<u8>(tapePresent + i) == 0 || load<u8>(tapeExact + i) == 1) continue;
    const h = rowCotangents + <usize>i * wide;
    let from = tapeFactor + (<usize>i << 2);
    for (let to = mixedCotangents; to < mixedEnd; to += wide, from += down) {
      const f = v128.load32_splat(from);
      for (let c = 0; c < wide; c += 16) {
        v128.store(to + c, f32x4.add(v128.load(to + c), f32x4.mul(f, v128.load(h + c))));
      }
    }
  }
}

/** x ← L⁻ᵀ x, in place. */
function solveTransposed(rank: i32, x: usize): void {
  for (let t = rank - 1; t >= 0; t--) {
    const to = x + <usize>t * wideBytes;
    const divisor = v128.load32_splat(tapeLower + ((<usize>t * <usize>capacity + <usize>t) << 2));
    for (let c = 0; c < wideBytes; c += 16) {
      let rest = v128.load(to + c);
      let from = to + wideBytes + c;
      for (let s = t + 1; s < rank; s++, from += wideBytes) {
        const scale = v128.load32_splat(tapeLower + ((<usize>s * <usize>capacity + <usize>t) << 2));
        rest = f32x4.sub(rest, f32x4.mul(scale, v128.load(from)));
      }
      v128.store(to + c, f32x4.div(rest, divisor));
    }
  }
}

/** U′ and P′, and with the own rows of exact pivots U and P, also by columns. */
export function solveSides(rank: i32): void {
  const wide = <usize>(channels + 1) << 2;
  for (let t = 0; t < rank; t++) {
    const to = valueRest + <usize>t * wideBytes;
    v128.store(to + wideBytes - 16, f32x4.splat(0));
    memory.copy(to, tapeMixed + <usize>t * wide, wide);
  }
  memory.copy(queryRest, mixedCotangents, <usize>rank * wideBytes);
  solveTransposed(rank, valueRest);
  solveTransposed(rank, queryRest);
  memory.copy(valueSide, valueRest, <usize>rank * wideBytes);
  memory.copy(querySide, queryRest, <usize>rank * wideBytes);
  for (let t = 0; t < rank; t++) {
    const pivot = load<i32>(tapePivots + (<usize>t << 2));
    if (load<u8>(tapeExact + pivot) == 0) continue;
    const isQuery = pivot < queries;
    const to = (isQuery ? querySide : valueSide) + <usize>t * wideBytes;
    const from = isQuery ? rowCotangents + <usize>pivot * wideBytes : values + <usize>(pivot - queries) * wideBytes;
    const kappa: f32 = isQuery ? 1 : load<f32>(tapeKeyWeights + (<usize>(pivot - queries) << 2));
    for (let c = 0; c < wideBytes; c += 16) {
      const own = f32x4.mul(v128.load(from + c), f32x4.splat(kappa));
      v128.store(to + c, f32x4.add(v128.load(to + c), own));
    }
  }
  transpose(rank, channels + 1, valueSide, wideBytes >> 2, valueSideAcross, rankBytes >> 2);
  transpose(rank, channels + 1, querySide, wideBytes >> 2, querySideAcross, rankBytes >> 2);
}

/** Pulls row i and each pivot together, the pivot t by {@link pivotWeights}. */
function pull(rank: i32, i: i32): void {
  const each = pointBytes;
  const weightsEnd = pivotWeights + (<usize>rank << 2);
  for (let c = 0; c < each; c += 16) {
    const at = <usize>i * each + c;
    const x = v128.load(points + at);
    let sum = v128.load(pointCotangents + at);
    let pivot = pivotPoints + c;
    let opposite = pivotCotangents + c;
    for (let weight = pivotWeights; weight < weightsEnd; weight += 4) {
      const force = f32x4.mul(v128.load32_splat(weight), f32x4.sub(v128.load(pivot), x));
      sum = f32x4.add(sum, force);
      v128.store(opposite, f32x4.sub(v128.load(opposite), force));
      pivot += each;
      opposite += each;
    }
    v128.store(pointCotangents + at, sum);
  }
}

/** {@link pivotWeights} = (start + Σ_c x_c M_c) · factor, in the order of c, for x and M `[count, rank]`. */
// @ts-ignore: decorator
@inline
function weighPivots(start: usize, x: usize, count: i32, matrix: usize, factor: v128): void {
  const each = <usize>rankBytes;
  const end = x + (<usize>count << 2);
  for (let t: usize = 0; t < each; t += 16) {
    let e = start == 0 ? f32x4.splat(0) : v128.load(start + t);
    let from = matrix + t;
    for (let at = x; at < end; at += 4, from += each) {
      e = f32x4.add(e, f32x4.mul(v128.load32_splat(at), v128.load(from)));
    }
    v128.store(pivotWeights + t, f32x4.mul(e, factor));
  }
}

/** Multiplies them by the entries of a row of the columns. */
// @ts-ignore: decorator
@inline
function weighByColumns(rank: i32, i: i32): void {
  const down = <usize>rows << 2;
  const end = pivotWeights + (<usize>rank << 2);
  let column = tapeColumns + (<usize>i << 2);
  for (let at = pivotWeights; at < end; at += 4, column += down) store<f32>(at, load<f32>(at) * load<f32>(column));
}

/** ∂L/∂A_q = H Uᵀ, carried to the points. */
export function queryRows(rank: i32): void {
  const one = f32x4.splat(1);
  for (let i = 0; i < queries; i++) {
    if (load<u8>(tapePresent + i) == 0 || load<u8>(tapeExact + i) == 1) continue;
    weighPivots(0, rowCotangents + <usize>i * wideBytes, channels + 1, valueSideAcross, one);
    weighByColumns(rank, i);
    pull(rank, i);
  }
}

/** Collects H of the exact queries; returns how many. */
function collectQueries(rank: i32): i32 {
  let count = 0;
  for (let t = 0; t < rank; t++) {
    const pivot = load<i32>(tapePivots + (<usize>t << 2));
    if (pivot >= queries || load<u8>(tapeExact + pivot) == 0) continue;
    const to = ownRows + <usize>count * wideBytes;
    memory.copy(to, rowCotangents + <usize>pivot * wideBytes, wideBytes);
    store<u32>(ownColumns + (<usize>count << 2), <u32>(tapeColumns + (<usize>t * <usize>rows << 2)));
    count++;
  }
  return count;
}

/** {@link row} = Σ_i A_ij H_i of the key, a pivot, whose column this is. */
function combineQueries(column: usize): void {
  memory.fill(row, 0, wideBytes);
  for (let i = 0; i < queries; i++) {
    if (load<u8>(tapePresent + i) == 0) continue;
    addToRow(load<f32>(column + (<usize>i << 2)), rowCotangents + <usize>i * wideBytes);
  }
}

/** ∂L/∂V, ∂L/∂κ and ∂L/∂A_k = κ [V, 1] Pᵀ, carried to the points. */
export function keyRows(rank: i32, dv: usize): void {
  const each = <usize>channels << 2;
  const own = collectQueries(rank);
  for (let j = 0; j < keys; j++) {
    const to = dv + <usize>j * each;
    if (load<u8>(tapePresent + queries + j) == 0) {
      memory.fill(to, 0, each);
      continue;
    }
    const kappa = load<f32>(tapeKeyWeights + (<usize>j << 2));
    const value = values + <usize>j * wideBytes;
    const ofKey = <usize>(queries + j) << 2;
    if (load<u8>(tapeExact + queries + j) == 1) {
      combineQueries(columnOf(rank, queries + j));
    } else {
      combine(tapeFactor + ofKey, rank, mixedCotangents);
      combineOwn(ofKey, own);
    }
    let sums = f32x4.splat(0);
    for (let c = 0; c <= channels; c += 4) {
      const at = <usize>c << 2;
      const g = v128.load(row + at);
      if (c < channels) storeLanes(to + at, f32x4.mul(f32x4.splat(kappa), g), channels - c);
      sums = f32x4.add(sums, v128.and(f32x4.mul(g, v128.load(value + at)), firstLanes(channels + 1 - c)));
    }
    const growth = f32x4.splat(sumOfFour(sums) * kappa);
    const point = <usize>(queries + j) * pointBytes;
    for (let c = 0; c < pointBytes; c += 16) {
      const along = f32x4.mul(growth, v128.load(points + point + c));
      v128.store(pointCotangents + point + c, f32x4.add(v128.load(pointCotangents + point + c), along));
    }
    if (load<u8>(tapeExact + queries + j) == 1) continue;
    const last = querySideAcross + <usize>channels * rankBytes;
    weighPivots(last, value, channels, querySideAcross, f32x4.splat(kappa));
    weighByColumns(rank, queries + j);
    pull(rank, queries + j);
  }
}

/** From the points back to q and k: the pivots' shares, the scale, and the centring over the keys that are present. */
export function scatterPoints(rank: i32, scale: f32, dq: usize, dk: usize): void {
  for (let t = 0; t < rank; t++) {
    const to = pointCotangents + <usize>load<i32>(tapePivots + (<usize>t << 2)) * pointBytes;
    for (let c = 0; c < pointBytes; c += 16) {
      const own = v128.load(pivotCotangents + <usize>t * pointBytes + c);
      v128.store(to + c, f32x4.add(v128.load(to + c), own));
    }
  }
  const down = <usize>width << 2;
  const factor = f32x4.splat(scale);
  for (let i = 0; i < queries; i++) {
    for (let c = 0; c < width; c += 4) {
      const at = <usize>c << 2;
      const x = v128.load(pointCotangents + <usize>i * pointBytes + at);
      storeLanes(dq + <usize>i * down + at, f32x4.mul(x, factor), width - c);
    }
  }
  const factors = f64x2.splat(<f64>scale);
  for (let c = 0; c < width; c += 4) {
    const at = <usize>c << 2;
    const first = pointCotangents + <usize>queries * pointBytes + at;
    let sum01 = f64x2.splat(0);
    let sum23 = sum01;
    let count: f64 = 0;
    let from = first;
    for (let j = 0; j < keys; j++, from += pointBytes) {
      if (load<u8>(tapePresent + queries + j) == 0) continue;
      const x = v128.load(from);
      sum01 = f64x2.add(sum01, lowPair(x));
      sum23 = f64x2.add(sum23, highPair(x));
      count += 1;
    }
    const mean01 = f64x2.div(sum01, f64x2.splat(count));
    const mean23 = f64x2.div(sum23, f64x2.splat(count));
    from = first;
    for (let j = 0; j < keys; j++, from += pointBytes) {
      const to = dk + <usize>j * down + at;
      if (load<u8>(tapePresent + queries + j) == 0) {
        storeLanes(to, f32x4.splat(0), width - c);
        continue;
      }
      const x = v128.load(from);
      const x01 = f64x2.mul(f64x2.sub(lowPair(x), mean01), factors);
      const x23 = f64x2.mul(f64x2.sub(highPair(x), mean23), factors);
      storeLanes(to, rounded(x01, x23), width - c);
    }
  }
}
