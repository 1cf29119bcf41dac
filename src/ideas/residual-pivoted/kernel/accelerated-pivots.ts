import type { Generator } from "../../../random/index.js";
import type { PivotLaw } from "../settings.js";
import { exponential } from "./exponential.js";
import { pivotMass, pivotPicker } from "./pivot-law.js";
import { gaussianColumn, squaredDistance, type Points } from "./points.js";
import type { Residual } from "./residual.js";

/** A law that pivots are drawn by; `greedy` draws none. */
export type DrawnLaw = Exclude<PivotLaw, "greedy">;

/** A pivot of the round at hand: its row of the factor, and the root that its column is divided by. */
interface Accepted {
  readonly row: number;
  readonly factor: Float64Array;
  readonly root: number;
}

/** Rows that are eliminated together: their part of the factor stays in the cache for all pivots of a round. */
const rowsTogether = 512;

/** Proposals of one round. */
export function proposalsFor(capacity: number): number {
  return Math.min(64, Math.max(4, Math.ceil(capacity / 4)));
}

/**
 * Pivots by the same law as `choosePivots`, many at a time: a round proposes rows, all from the law as it is at its beginning, and
 * takes each in turn with the probability (what is left of its diagonal now)/(what was left then), which is what makes the law of
 * each pivot that of the residual before it. Then the pivots of the round are eliminated from all rows at once. With the same
 * pivots the factor has the same bits. Writes and returns as `choosePivots`.
 *
 * Source: Epperly, Tropp, Webber, "Embrace rejection: Kernel matrix approximation by accelerated randomly pivoted Cholesky",
 * arXiv 2410.03969, algorithms 2 and 3.
 */
export function chooseAcceleratedPivots(
  points: Points,
  residual: Residual,
  law: DrawnLaw,
  random: Generator,
  pivots: Int32Array,
  columns: Points["rows"],
  mass: Float64Array,
  accepts: (left: number, before: number, random: Generator) => boolean = acceptsByWhatIsLeft,
): number {
  const { capacity, diagonal, tolerance } = residual;
  while (residual.rank < capacity) {
    const total = pivotMass(law, residual, mass);
    if (total === 0) break;
    const pick = pivotPicker(mass, total);
    const round: Accepted[] = [];
    for (let at = 0; at < proposalsFor(capacity) && residual.rank + round.length < capacity; at++) {
      const row = pick(random.uniform());
      const { factor, left } = rowNow(points, residual, row, round);
      if (!(left > tolerance)) continue;
      const before = law === "uniform" ? left : diagonal[row]!;
      if (!accepts(left, before, random)) continue;
      const root = residual.single ? Math.fround(Math.sqrt(left)) : Math.sqrt(left);
      factor[residual.rank + round.length] = root;
      round.push({ row, factor, root });
    }
    eliminateRound(points, residual, round, pivots, columns);
  }
  return residual.rank;
}

function acceptsByWhatIsLeft(left: number, before: number, random: Generator): boolean {
  return random.uniform() * before < left;
}

/** The row of the factor after the pivots of the round, and what is left of its diagonal; 0 for a pivot of the round. */
function rowNow(
  points: Points,
  { single, rows, rank, capacity, factor, diagonal }: Residual,
  row: number,
  round: readonly Accepted[],
): { readonly factor: Float64Array; readonly left: number } {
  const own = new Float64Array(capacity);
  for (let t = 0; t < rank; t++) own[t] = factor[t * rows + row]!;
  let left = diagonal[row]!;
  round.forEach((pivot, at) => {
    const t = rank + at;
    const entry =
      eliminated(gaussianEntry(points, row, pivot.row), own, pivot.factor, t, single) / pivot.root;
    const f = single ? Math.fround(entry) : entry;
    own[t] = f;
    const rest = left - (single ? Math.fround(f * f) : f * f);
    left = single ? Math.fround(rest) : rest;
    if (!(left > 0) || pivot.row === row) left = 0;
  });
  return { factor: own, left };
}

/** `entry` − Σ_{u < t} a_u b_u, in the order and precision of the elimination. */
function eliminated(entry: number, a: Float64Array, b: Float64Array, t: number, single: boolean): number {
  let left = entry;
  for (let u = 0; u < t; u++) {
    const product = a[u]! * b[u]!;
    left = single ? Math.fround(left - Math.fround(product)) : left - product;
  }
  return left;
}

/** One entry of `gaussianColumn`. */
function gaussianEntry(points: Points, i: number, j: number): number {
  return exponential(-0.5 * squaredDistance(points, i, j), points.single);
}

/** Eliminates the pivots of a round from all rows, some rows at a time. */
function eliminateRound(
  points: Points,
  residual: Residual,
  round: readonly Accepted[],
  pivots: Int32Array,
  columns: Points["rows"],
): void {
  const { single, rows, factor, diagonal, rank } = residual;
  round.forEach(({ row }, at) => {
    pivots[rank + at] = row;
    gaussianColumn(points, row, columns.subarray((rank + at) * rows, (rank + at + 1) * rows));
  });
  for (let from = 0; from < rows; from += rowsTogether) {
    const to = Math.min(from + rowsTogether, rows);
    round.forEach((pivot, at) => {
      const t = rank + at;
      for (let i = from; i < to; i++) factor[t * rows + i] = columns[t * rows + i]!;
      for (let u = 0; u < t; u++) {
        const scale = pivot.factor[u]!;
        for (let i = from; i < to; i++) {
          const product = factor[u * rows + i]! * scale;
          factor[t * rows + i] = factor[t * rows + i]! - (single ? Math.fround(product) : product);
        }
      }
      for (let i = from; i < to; i++) {
        const entry = factor[t * rows + i]! / pivot.root;
        const f = single ? Math.fround(entry) : entry;
        factor[t * rows + i] = f;
        const left = diagonal[i]! - (single ? Math.fround(f * f) : f * f);
        diagonal[i] = left > 0 ? left : 0;
      }
    });
  }
  for (const { row } of round) diagonal[row] = 0;
  residual.rank = rank + round.length;
}
