/*
 * The sizes that all problems of a batch share, the tape of the problem at hand (the fields of kernel/tape.ts, as addresses), and
 * the working space, in which rows are padded with zeros to whole vectors.
 */

export let queries: i32 = 0;
export let keys: i32 = 0;
export let width: i32 = 0;
export let channels: i32 = 0;
export let capacity: i32 = 0;
/** queries + keys, and that in whole vectors. */
export let rows: i32 = 0;
export let rowsPadded: i32 = 0;
/** Bytes of a padded row of points; of values with their 1; of one number a pivot. */
export let pointBytes: i32 = 0;
export let wideBytes: i32 = 0;
export let rankBytes: i32 = 0;

/** The tape of the whole batch. */
let allPoints: usize = 0, allColumns: usize = 0, allFactors: usize = 0, allLowers: usize = 0;
let allKeyWeights: usize = 0, allMixed: usize = 0, allNormalisers: usize = 0, allRaw: usize = 0;
let allSquaredNorms: usize = 0, allPivots: usize = 0, allPresent: usize = 0, allFloored: usize = 0;
let allClamped: usize = 0, allExact: usize = 0;

/** That of the problem at hand. */
export let tapePoints: usize = 0, tapeColumns: usize = 0, tapeFactor: usize = 0, tapeLower: usize = 0;
export let tapeKeyWeights: usize = 0, tapeMixed: usize = 0, tapeNormaliser: usize = 0, tapeRaw: usize = 0;
export let tapeSquaredNorms: usize = 0, tapePivots: usize = 0, tapePresent: usize = 0, tapeFloored: usize = 0;
export let tapeClamped: usize = 0, tapeExact: usize = 0;

/** Points by rows `[rowsPadded, width]` and by columns `[width, rowsPadded]`, both padded. */
export let points: usize = 0, pointsAcross: usize = 0;
/** All bits set in rows that are present; the diagonal of the residual; ω²: `[rowsPadded]`. */
export let here: usize = 0, diagonal: usize = 0, weights: usize = 0;
/** In float64, `[rowsPadded]`: |x|², the mass of each row, and that of a row and all before it. */
export let squaredNorms: usize = 0, masses: usize = 0, cumulated: usize = 0;
/** The centre of the keys; working space of one row of points and of one number a pivot. */
export let centre: usize = 0, pivotWeights: usize = 0;
/** [V, 1] `[keys, channels + 1]`, F_kᵀ κ [V, 1] of the keys that are not exact `[capacity, channels + 1]`, one row of numerators and normaliser. */
export let values: usize = 0, mixed: usize = 0, row: usize = 0;
/** Of exact pivots on one side: the addresses of their columns, and what stands for them `[capacity, channels + 1]`. */
export let ownColumns: usize = 0, ownRows: usize = 0;
/** For each channel: the range of the values, and the range beyond which an output counts as clamped. */
export let low: usize = 0, high: usize = 0, lowest: usize = 0, highest: usize = 0;
/** e^{−|x|²/2 − shift} of each query. */
export let jensen: usize = 0;
/** ∂L/∂[N, Z] `[queries, channels + 1]`; F_qᵀ of it, and the two sides `[capacity, channels + 1]`, also by columns. */
export let rowCotangents: usize = 0, mixedCotangents: usize = 0, valueSide: usize = 0, querySide: usize = 0;
export let valueRest: usize = 0, queryRest: usize = 0, valueSideAcross: usize = 0, querySideAcross: usize = 0;
/** Cotangents of the points `[rowsPadded, width]`; the pivots' points and their cotangents `[capacity, width]`. */
export let pointCotangents: usize = 0, pivotPoints: usize = 0, pivotCotangents: usize = 0;

let end: usize = 0;

function take(bytes: i32): usize {
  const address = end;
  end += (bytes + 15) & ~15;
  return address;
}

/** Sets the sizes and lays out the working space from `scratch`, a multiple of 16; returns its bytes. */
export function layOut(q: i32, k: i32, w: i32, c: i32, r: i32, scratch: usize): i32 {
  queries = q;
  keys = k;
  width = w;
  channels = c;
  capacity = r;
  rows = q + k;
  rowsPadded = (rows + 3) & ~3;
  pointBytes = ((w + 3) & ~3) << 2;
  wideBytes = ((c + 4) & ~3) << 2;
  rankBytes = ((r + 3) & ~3) << 2;
  // Vectors that begin at any row of an array of rows may end in the 16 bytes after it.
  const each = (rowsPadded << 2) + 16;
  end = scratch;
  points = take(rowsPadded * pointBytes);
  pointsAcross = take(rowsPadded * pointBytes);
  here = take(each);
  diagonal = take(each);
  weights = take(each);
  squaredNorms = take(2 * each);
  masses = take(2 * each);
  cumulated = take(2 * each);
  centre = take(pointBytes);
  pivotWeights = take(rankBytes);
  values = take(k * wideBytes);
  mixed = take(r * wideBytes);
  row = take(wideBytes);
  ownColumns = take(rankBytes);
  ownRows = take(r * wideBytes);
  low = take(wideBytes);
  high = take(wideBytes);
  lowest = take(wideBytes);
  highest = take(wideBytes);
  jensen = take(each);
  rowCotangents = take(q * wideBytes);
  mixedCotangents = take(r * wideBytes);
  valueSide = take(r * wideBytes);
  querySide = take(r * wideBytes);
  valueRest = take(r * wideBytes);
  queryRest = take(r * wideBytes);
  valueSideAcross = take((c + 1) * rankBytes);
  querySideAcross = take((c + 1) * rankBytes);
  pointCotangents = take(rowsPadded * pointBytes);
  pivotPoints = take(r * pointBytes);
  pivotCotangents = take(r * pointBytes);
  return <i32>(end - scratch);
}

/** The addresses of the tape of the batch. */
export function bindTape(
  pointsAt: usize, columns: usize, factors: usize, lowers: usize, keyWeights: usize, mixedAt: usize,
  normalisers: usize, raw: usize, squares: usize, pivots: usize, present: usize, exact: usize, floored: usize,
  clamped: usize,
): void {
  allPoints = pointsAt;
  allColumns = columns;
  allFactors = factors;
  allLowers = lowers;
  allKeyWeights = keyWeights;
  allMixed = mixedAt;
  allNormalisers = normalisers;
  allRaw = raw;
  allSquaredNorms = squares;
  allPivots = pivots;
  allPresent = present;
  allExact = exact;
  allFloored = floored;
  allClamped = clamped;
}

/** Points the tape at problem p. */
export function openTape(p: i32): void {
  const columns = capacity * rows;
  tapePoints = allPoints + at(p, rows * width, 4);
  tapeColumns = allColumns + at(p, columns, 4);
  tapeFactor = allFactors + at(p, columns, 4);
  tapeLower = allLowers + at(p, capacity * capacity, 4);
  tapeKeyWeights = allKeyWeights + at(p, keys, 4);
  tapeMixed = allMixed + at(p, capacity * (channels + 1), 4);
  tapeNormaliser = allNormalisers + at(p, queries, 4);
  tapeRaw = allRaw + at(p, queries * channels, 4);
  tapeSquaredNorms = allSquaredNorms + at(p, rows, 8);
  tapePivots = allPivots + at(p, capacity, 4);
  tapePresent = allPresent + at(p, rows, 1);
  tapeExact = allExact + at(p, rows, 1);
  tapeFloored = allFloored + at(p, queries, 1);
  tapeClamped = allClamped + at(p, queries * channels, 1);
}

/** The bytes before problem p in an array of `each` elements a problem. */
// @ts-ignore: decorator
@inline
export function at(p: i32, each: i32, bytes: i32): usize {
  return <usize>p * <usize>each * <usize>bytes;
}
