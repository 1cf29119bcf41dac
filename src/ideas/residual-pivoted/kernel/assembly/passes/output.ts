// weighKeys, mixValues, valueRanges and normaliseRow of kernel/forward.ts.
import { exp4 } from "../../../../../tensor/kernels/simd/assembly/math/exp4";
import { storeLanes } from "../../../../../tensor/kernels/simd/assembly/product/tile";
import { addToRow, columnOf, combine, combineOwn } from "./combine";
import { firstLanes, rounded } from "./lanes";
import {
  channels, here, high, highest, jensen, keys, low, lowest, mixed, ownColumns, ownRows, pivotWeights, queries, row, rows,
  squaredNorms, tapeClamped, tapeColumns, tapeExact, tapeFactor, tapeFloored, tapeKeyWeights, tapeMixed,
  tapeNormaliser, tapePivots, tapePresent, tapeRaw, values, wideBytes,
} from "./problem";

/** √u and 64u, see settings.ts. */
const SLACK: f64 = 0.000244140625;
const OFFSET_SLACK: f64 = 0.000003814697265625;
const SMALLEST_NORMAL: f64 = 1.1754943508222875e-38;

/** Outputs and normalisers that were replaced, in the whole batch so far. */
export let flooredCount: i32 = 0;
export let clampedCount: i32 = 0;

export function resetCounts(): void {
  flooredCount = 0;
  clampedCount = 0;
}

/** κ of the keys, e^{−|x|²/2 − shift} of the queries; the shift is the largest |y|²/2. */
export function weighKeys(): void {
  let shift: f64 = 0;
  for (let j = queries; j < rows; j++) shift = max(shift, load<f64>(squaredNorms + (<usize>j << 3)) / 2);
  const half = f64x2.splat(0.5);
  const shifts = f64x2.splat(shift);
  for (let j = 0; j < keys; j += 4) {
    const from = squaredNorms + (<usize>(queries + j) << 3);
    const logs01 = f64x2.sub(f64x2.mul(v128.load(from), half), shifts);
    const logs23 = f64x2.sub(f64x2.mul(v128.load(from, 16), half), shifts);
    const present = v128.load(here + (<usize>(queries + j) << 2));
    storeLanes(tapeKeyWeights + (<usize>j << 2), v128.and(exp4(rounded(logs01, logs23)), present), keys - j);
  }
  const minusHalf = f64x2.splat(-0.5);
  for (let i = 0; i < queries; i += 4) {
    const from = squaredNorms + (<usize>i << 3);
    const logs01 = f64x2.sub(f64x2.mul(v128.load(from), minusHalf), shifts);
    const logs23 = f64x2.sub(f64x2.mul(v128.load(from, 16), minusHalf), shifts);
    v128.store(jensen + (<usize>i << 2), exp4(rounded(logs01, logs23)));
  }
}

/** F_kᵀ κ [V, 1] over the keys that are not exact, key by key. */
export function mixValues(rank: i32): void {
  memory.fill(mixed, 0, <usize>rank * wideBytes);
  mixKeys(rank);
  const each = <usize>(channels + 1) << 2;
  for (let t = 0; t < rank; t++) memory.copy(tapeMixed + <usize>t * each, mixed + <usize>t * wideBytes, each);
}

function mixKeys(rank: i32): void {
  const down = <usize>rows << 2;
  const wide = wideBytes;
  const mixedEnd = mixed + <usize>rank * wide;
  for (let j = 0; j < keys; j++) {
    const kappa = load<f32>(tapeKeyWeights + (<usize>j << 2));
    if (kappa == 0 || load<u8>(tapeExact + queries + j) == 1) continue;
    const value = values + <usize>j * wide;
    let f = tapeFactor + (<usize>(queries + j) << 2);
    for (let to = mixed; to < mixedEnd; to += wide, f += down) {
      const scaled = f32x4.splat(load<f32>(f) * kappa);
      for (let c = 0; c < wide; c += 16) {
        v128.store(to + c, f32x4.add(v128.load(to + c), f32x4.mul(scaled, v128.load(value + c))));
      }
    }
  }
}

/** The ranges of the values, NaN where a value is NaN, and of the outputs that do not count as clamped. */
export function rangeValues(): void {
  for (let c = 0; c < wideBytes; c += 16) {
    let least = f32x4.splat(Infinity);
    let most = f32x4.splat(-Infinity);
    let value = values + c;
    for (let j = 0; j < keys; j++, value += wideBytes) {
      if (load<u8>(tapePresent + queries + j) == 0) continue;
      const x = v128.load(value);
      least = f32x4.min(least, x);
      most = f32x4.max(most, x);
    }
    v128.store(low + c, least);
    v128.store(high + c, most);
  }
  for (let c = 0; c < channels; c++) {
    const at = <usize>c << 2;
    const least = <f64>load<f32>(low + at);
    const most = <f64>load<f32>(high + at);
    const room = SLACK * (most - least) + OFFSET_SLACK * max(abs(least), abs(most));
    store<f32>(lowest + at, <f32>(least - room));
    store<f32>(highest + at, <f32>(most + room));
  }
}

/** κ of the pivots that are keys, 0 of the others. */
function weighPivots(rank: i32): void {
  for (let t = 0; t < rank; t++) {
    const key = load<i32>(tapePivots + (<usize>t << 2)) - queries;
    const kappa: f32 = key < 0 ? 0 : load<f32>(tapeKeyWeights + (<usize>key << 2));
    store<f32>(pivotWeights + (<usize>t << 2), kappa);
  }
}

/** Σ over pivots that are keys of G_is κ_s, from the weights of {@link weighPivots}. */
// @ts-ignore: decorator
@inline
function pivotKeyMass(rank: i32, i: i32): f64 {
  const down = <usize>rows << 2;
  const end = pivotWeights + (<usize>rank << 2);
  let entry = tapeColumns + (<usize>i << 2);
  let mass: f64 = 0;
  for (let kappa = pivotWeights; kappa < end; kappa += 4, entry += down) {
    mass += <f64>load<f32>(entry) * <f64>load<f32>(kappa);
  }
  return mass;
}

/** Collects κ [V, 1] of the exact keys; returns how many. */
function collectKeys(rank: i32): i32 {
  let count = 0;
  for (let t = 0; t < rank; t++) {
    const pivot = load<i32>(tapePivots + (<usize>t << 2));
    if (pivot < queries || load<u8>(tapeExact + pivot) == 0) continue;
    const kappa = f32x4.splat(load<f32>(pivotWeights + (<usize>t << 2)));
    const value = values + <usize>(pivot - queries) * wideBytes;
    const to = ownRows + <usize>count * wideBytes;
    for (let c = 0; c < wideBytes; c += 16) v128.store(to + c, f32x4.mul(kappa, v128.load(value + c)));
    store<u32>(ownColumns + (<usize>count << 2), <u32>(tapeColumns + (<usize>t * <usize>rows << 2)));
    count++;
  }
  return count;
}

/** {@link row} = Σ_j A_ij κ_j [V, 1]_j of the query i, a pivot. */
function combineKeys(rank: i32, i: i32): void {
  memory.fill(row, 0, wideBytes);
  const entries = columnOf(rank, i) + (<usize>queries << 2);
  for (let j = 0; j < keys; j++) {
    const at = <usize>j << 2;
    const kappa = load<f32>(tapeKeyWeights + at);
    if (kappa == 0) continue;
    addToRow(load<f32>(entries + at) * kappa, values + <usize>j * wideBytes);
  }
}

/** Marks the clamped of up to four outputs. */
function markClamped(flags: usize, outside: v128, count: i32): void {
  const bits = i32x4.bitmask(outside);
  for (let lane = 0; lane < count && lane < 4; lane++) {
    if (((bits >> lane) & 1) == 0) continue;
    store<u8>(flags + lane, 1);
    clampedCount++;
  }
}

/** The rows of the output; 0 for a masked query. */
export function normaliseRows(rank: i32, keysPresent: i32, out: usize): void {
  weighPivots(rank);
  const own = collectKeys(rank);
  const outBytes = <usize>channels << 2;
  memory.fill(tapeClamped, 0, queries * channels);
  memory.fill(tapeFloored, 0, queries);
  for (let i = 0; i < queries; i++) {
    const to = out + <usize>i * outBytes;
    if (load<u8>(tapePresent + i) == 0) {
      memory.fill(to, 0, outBytes);
      continue;
    }
    if (load<u8>(tapeExact + i) == 1) {
      combineKeys(rank, i);
    } else {
      combine(tapeFactor + (<usize>i << 2), rank, mixed);
      combineOwn(<usize>i << 2, own);
    }
    let z = load<f32>(row + outBytes);
    const mean = <f64>keysPresent * <f64>load<f32>(jensen + (<usize>i << 2));
    const bound = max(max(mean, pivotKeyMass(rank, i)), SMALLEST_NORMAL);
    if (<f64>z < bound * (1 - SLACK)) {
      z = <f32>bound;
      store<u8>(tapeFloored + i, 1);
      flooredCount++;
    }
    store<f32>(tapeNormaliser + (<usize>i << 2), z);
    const divisor = f32x4.splat(z);
    for (let c = 0; c < channels; c += 4) {
      const at = <usize>c << 2;
      const x = f32x4.div(v128.load(row + at), divisor);
      storeLanes(tapeRaw + <usize>i * outBytes + at, x, channels - c);
      const outside = v128.or(f32x4.lt(x, v128.load(lowest + at)), f32x4.gt(x, v128.load(highest + at)));
      if (v128.any_true(v128.and(outside, firstLanes(channels - c)))) {
        markClamped(tapeClamped + i * channels + c, outside, channels - c);
      }
      const least = v128.load(low + at);
      const most = v128.load(high + at);
      const raised = v128.bitselect(least, x, f32x4.lt(x, least));
      const inside = v128.bitselect(most, raised, f32x4.gt(x, most));
      storeLanes(to + at, v128.bitselect(inside, least, f32x4.eq(least, least)), channels - c);
    }
  }
}
