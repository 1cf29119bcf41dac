/*
 * The attention of a batch of problems, forward and backward, in one call each: the bits of kernel/forward.ts and
 * kernel/backward.ts in float32. Loops go over four rows, or four channels, at a time; sums run in the same order.
 */
import {
  keyRows, mixRows, normaliserRows, queryRows, scatterPoints, solveSides, startCotangents,
} from "./passes/cotangents";
import {
  clampedCount, flooredCount, mixValues, normaliseRows, rangeValues, resetCounts, weighKeys,
} from "./passes/output";
import { pivotBlock } from "./passes/pivot-block";
import { choosePivots, markExact, readLower, refactorWithRidge } from "./passes/pivots";
import { markPresent, padValues, placePoints, readPoints, startDiagonal } from "./passes/points";
import {
  at, bindTape, capacity, channels, keys, layOut, openTape, queries, tapeClamped, tapeFloored, tapePivots,
  width,
} from "./passes/problem";

export { bindTape, layOut };

/** The states of a problem, as in kernel/tape.ts. */
const EMPTY: u8 = 0;
const ORDINARY: u8 = 1;
const NOT_FINITE: u8 = 2;

let batch: i32 = 0;
let pointScale: f32 = 0;

/** The number of problems and the scale of the points. */
export function setBatch(problems: i32, scale: f32): void {
  batch = problems;
  pointScale = scale;
}

/** The row of problem p in a mask of `maskRows` rows, 0 for no mask. */
function maskOf(mask: usize, maskRows: i32, p: i32, tokens: i32): usize {
  return mask == 0 ? 0 : mask + <usize>((<i64>p * <i64>maskRows) / <i64>batch) * <usize>tokens;
}

function fillWith(value: f32, to: usize, count: i32): void {
  for (let i = 0; i < count; i++) store<f32>(to + (<usize>i << 2), value);
}

/** No output was computed: nothing was chosen, floored or clamped. */
function leaveProblem(out: usize, value: f32): void {
  memory.fill(tapePivots, 0xff, <usize>capacity << 2);
  memory.fill(tapeFloored, 0, queries);
  memory.fill(tapeClamped, 0, queries * channels);
  fillWith(value, out, queries * channels);
}

/** The output of all problems; ranks, states and the tape as the readable kernel leaves them. */
export function forward(
  q: usize, k: usize, v: usize, queryMask: usize, queryMaskRows: i32, keyMask: usize, keyMaskRows: i32,
  law: i32, uniforms: usize, held: usize, ridge: f64, ranks: usize, states: usize, out: usize,
): void {
  resetCounts();
  for (let p = 0; p < batch; p++) {
    openTape(p);
    const state = states + p;
    const to = out + at(p, queries * channels, 4);
    store<i32>(ranks + at(p, 1, 4), 0);
    const keysPresent = markPresent(
      maskOf(queryMask, queryMaskRows, p, queries), maskOf(keyMask, keyMaskRows, p, keys),
    );
    const finite = placePoints(q + at(p, queries * width, 4), k + at(p, keys * width, 4), keysPresent, pointScale);
    if (keysPresent == 0) {
      store<u8>(state, EMPTY);
      leaveProblem(to, 0);
      continue;
    }
    if (!finite) {
      store<u8>(state, NOT_FINITE);
      leaveProblem(to, NaN);
      continue;
    }
    startDiagonal();
    const given: usize = held == 0 ? 0 : held + at(p, capacity, 4);
    const rank = choosePivots(law, uniforms + at(p, capacity, 8), given);
    readLower(rank);
    if (ridge > 0) refactorWithRidge(rank, ridge);
    markExact(rank, ridge);
    weighKeys();
    padValues(v + at(p, keys * channels, 4));
    mixValues(rank);
    rangeValues();
    normaliseRows(rank, keysPresent, to);
    store<u8>(state, ORDINARY);
    store<i32>(ranks + at(p, 1, 4), rank);
  }
}

/** Of the last forward pass. */
export function floored(): i32 {
  return flooredCount;
}

/** Of the last forward pass. */
export function clamped(): i32 {
  return clampedCount;
}

/** The gradients in q, k and v of all problems. */
export function backward(
  v: usize, cotangent: usize, ranks: usize, states: usize, dq: usize, dk: usize, dv: usize,
): void {
  for (let p = 0; p < batch; p++) {
    openTape(p);
    const state = load<u8>(states + p);
    const toQ = dq + at(p, queries * width, 4);
    const toK = dk + at(p, keys * width, 4);
    const toV = dv + at(p, keys * channels, 4);
    if (state != ORDINARY) {
      const value: f32 = state == EMPTY ? 0 : NaN;
      fillWith(value, toQ, queries * width);
      fillWith(value, toK, keys * width);
      fillWith(value, toV, keys * channels);
      continue;
    }
    const rank = load<i32>(ranks + at(p, 1, 4));
    readPoints();
    padValues(v + at(p, keys * channels, 4));
    startCotangents(rank);
    normaliserRows(cotangent + at(p, queries * channels, 4));
    mixRows(rank);
    solveSides(rank);
    queryRows(rank);
    keyRows(rank, toV);
    pivotBlock(rank);
    scatterPoints(rank, pointScale, toQ, toK);
  }
}
