import { kernels, type Floats } from "../../../tensor/index.js";
import { exponential } from "./exponential.js";

/** The sizes of one attention problem. */
export interface ProblemSize {
  readonly queries: number;
  readonly keys: number;
  /** Channels of a query or key. */
  readonly width: number;
  /** Channels of a value. */
  readonly channels: number;
}

/** The points X = [Q; K − mean(K)] / d^¼ of one problem: queries first, then keys. */
export interface Points {
  readonly single: boolean;
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
  /** `[queries + keys, width]`; masked rows are 0. */
  readonly rows: Floats;
  /** 1 for a row that takes part, 0 for a masked one. */
  readonly present: Uint8Array;
  /** |x|² of each row, summed in float64. */
  readonly squaredNorms: Float64Array;
}

/** 1 where a token takes part, 0 where it is padding; everything takes part when it is undefined. */
export type Mask = Uint8Array | undefined;

/** Points of the given size with nothing placed yet. */
export function emptyPoints(size: ProblemSize, single: boolean): Points {
  const count = size.queries + size.keys;
  return {
    single,
    queries: size.queries,
    keys: size.keys,
    width: size.width,
    rows: single ? new Float32Array(count * size.width) : new Float64Array(count * size.width),
    present: new Uint8Array(count),
    squaredNorms: new Float64Array(count),
  };
}

/** The scale d^−¼ of queries and keys, from exactly rounded operations only. */
export function pointScale(width: number, single: boolean): number {
  const scale = 1 / Math.sqrt(Math.sqrt(width));
  return single ? Math.fround(scale) : scale;
}

/**
 * Fills `points` with q `[queries, width]` and k `[keys, width]`. Keys are centred over the unmasked ones, which
 * attention does not see but the pivot law does. Masked rows are never read. Returns false when an unmasked query
 * or key is not finite.
 */
export function placePoints(points: Points, q: Floats, k: Floats, queryMask?: Mask, keyMask?: Mask): boolean {
  const { single, queries, keys, width, rows, present, squaredNorms } = points;
  const scale = pointScale(width, single);
  const centre = keyCentre(k, keys, width, single, keyMask);
  let finite = true;
  for (let i = 0; i < queries + keys; i++) {
    const isKey = i >= queries;
    const from = isKey ? i - queries : i;
    const mask = isKey ? keyMask : queryMask;
    const here = mask === undefined || mask[from] === 1 ? 1 : 0;
    present[i] = here;
    let squared = 0;
    for (let c = 0; c < width; c++) {
      let x = 0;
      if (here === 1) {
        x = isKey ? k[from * width + c]! - centre[c]! : q[from * width + c]!;
        x = single ? Math.fround(Math.fround(x) * scale) : x * scale;
      }
      rows[i * width + c] = x;
      squared += x * x;
    }
    squaredNorms[i] = squared;
    finite &&= squared < Infinity;
  }
  return finite;
}

function keyCentre(k: Floats, keys: number, width: number, single: boolean, mask: Mask): Float64Array {
  const centre = new Float64Array(width);
  let count = 0;
  for (let j = 0; j < keys; j++) {
    if (mask !== undefined && mask[j] !== 1) continue;
    count++;
    for (let c = 0; c < width; c++) centre[c] = centre[c]! + k[j * width + c]!;
  }
  for (let c = 0; c < width; c++) {
    const mean = centre[c]! / Math.max(count, 1);
    centre[c] = single ? Math.fround(mean) : mean;
  }
  return centre;
}

/**
 * The column G_is = exp(−|x_i − x_s|²/2) of the Gaussian kernel, with unit diagonal; 0 in masked rows. The
 * exponential kernel is exp(x·y) = e^{|x|²/2} G(x, y) e^{|y|²/2}.
 */
export function gaussianColumn(points: Points, pivot: number, out: Floats): void {
  const { single, present } = points;
  for (let i = 0; i < present.length; i++) {
    out[i] = present[i] === 0 ? 0 : exponential(-0.5 * squaredDistance(points, i, pivot), single);
  }
}

/** Every {@link gaussianColumn}, `[pivots, rows]`, with the same bits: symmetric, and all exponentials in one call. */
export function gaussianMatrix(points: Points): Floats {
  const count = points.present.length ** 2;
  const out = points.single ? new Float32Array(count) : new Float64Array(count);
  fillExponents(points, out);
  kernels().unary("exp", out, out);
  return out;
}

/** −|x_i − x_j|²/2 of every two rows, −∞ where one is masked. */
function fillExponents(points: Points, out: Floats): void {
  const { present } = points;
  const count = present.length;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      const exponent =
        present[i] === 0 || present[j] === 0 ? -Infinity : -0.5 * squaredDistance(points, i, j);
      out[i * count + j] = exponent;
      out[j * count + i] = exponent;
    }
  }
}

/** |x_i − x_j|², each operation in the precision of the points. */
export function squaredDistance({ single, width, rows }: Points, i: number, j: number): number {
  const at = i * width;
  const from = j * width;
  let squared = 0;
  for (let c = 0; c < width; c++) {
    const difference = rows[at + c]! - rows[from + c]!;
    if (single) {
      const rounded = Math.fround(difference);
      squared = Math.fround(squared + Math.fround(rounded * rounded));
    } else {
      squared += difference * difference;
    }
  }
  return squared;
}
