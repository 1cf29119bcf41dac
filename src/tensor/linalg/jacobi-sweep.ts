import { dot } from "./vectors.js";

/** A pair whose product is within this share of its norms counts as orthogonal: four unit roundoffs. */
const enough = { single: 2 ** -22, double: 2 ** -51 };

/**
 * One cyclic pass of one-sided Jacobi rotations over all pairs of columns p < q, in place, in the order of p + q modulo k,
 * from k − 2 on: pairs of one sum are disjoint and could be turned at once. With x and y two columns,
 *
 *   α = x·x,  β = y·y,  γ = x·y,  δ = α − β,
 *   t = 2γ / (|δ| + √(δ² + 4γ²)) with the sign of δ,  c = 1/√(1 + t²),  s = t·c,
 *
 * and they become c·x + s·y and c·y − s·x, which makes them orthogonal. Where β > α the two results change places, so
 * that norms come to descend (P. P. M. de Rijk, 1989). A pair with |γ| ≤ 4u·√(αβ), u the unit roundoff, is left alone.
 * Returns whether any pair was rotated.
 *
 * α and β are worked out when the pass begins and then kept up to date, max + |tγ| and min − |tγ|: what rounding does to
 * them can only make an angle less good, and is gone in the next pass. A pass that rotates nothing has judged every pair
 * by its true norms.
 *
 * Shapes: columns `[k, length]`, one column after the other; no entry is −0. With `single`, entries are float32 numbers
 * and every operation is rounded to float32.
 */
export function jacobiSweep(columns: Float64Array, k: number, length: number, single: boolean): boolean {
  const norms = new Float64Array(k);
  for (let j = 0; j < k; j++) norms[j] = dot(columns, j * length, columns, j * length, length, single);
  let rotated = false;
  for (let step = 0; step < k; step++) {
    const sum = (k - 2 + step) % k;
    for (let p = 0; p < k; p++) {
      const q = (sum - p + k) % k;
      if (q <= p) continue;
      const applied = single
        ? rotate32(columns, norms, p, q, length)
        : rotate64(columns, norms, p, q, length);
      rotated = applied || rotated;
    }
  }
  return rotated;
}

function rotate64(columns: Float64Array, norms: Float64Array, p: number, q: number, length: number): boolean {
  const [x, y] = [p * length, q * length];
  const [alpha, beta] = [norms[p]!, norms[q]!];
  const gamma = dot(columns, x, columns, y, length, false);
  const size = Math.abs(gamma);
  if (!(size > enough.double * Math.sqrt(alpha * beta))) return false;
  const delta = alpha - beta;
  const gap = Math.abs(delta);
  const twice = 2 * size;
  const root = Math.sqrt(delta * delta + twice * twice);
  // Where the squares vanish, the greater side stands for the root: t stays within [−1, 1].
  const t = twice / (gap + Math.max(root, gap, twice));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = delta < 0 === gamma < 0 ? t * c : -t * c;
  const toX = beta > alpha ? y : x;
  const toY = beta > alpha ? x : y;
  for (let i = 0; i < length; i++) {
    const xi = columns[x + i]!;
    const yi = columns[y + i]!;
    columns[toX + i] = c * xi + s * yi;
    columns[toY + i] = c * yi - s * xi;
  }
  norms[p] = Math.max(alpha, beta) + t * size;
  norms[q] = Math.max(Math.min(alpha, beta) - t * size, 0);
  return true;
}

function rotate32(columns: Float64Array, norms: Float64Array, p: number, q: number, length: number): boolean {
  const f = Math.fround;
  const [x, y] = [p * length, q * length];
  const [alpha, beta] = [norms[p]!, norms[q]!];
  const gamma = dot(columns, x, columns, y, length, true);
  const size = Math.abs(gamma);
  if (!(size > f(enough.single * f(Math.sqrt(f(alpha * beta)))))) return false;
  const delta = f(alpha - beta);
  const gap = Math.abs(delta);
  const twice = 2 * size;
  const root = f(Math.sqrt(f(f(delta * delta) + f(twice * twice))));
  const t = f(twice / f(gap + Math.max(root, gap, twice)));
  const c = f(1 / f(Math.sqrt(f(1 + f(t * t)))));
  const s = delta < 0 === gamma < 0 ? f(t * c) : -f(t * c);
  const toX = beta > alpha ? y : x;
  const toY = beta > alpha ? x : y;
  for (let i = 0; i < length; i++) {
    const xi = columns[x + i]!;
    const yi = columns[y + i]!;
    columns[toX + i] = f(f(c * xi) + f(s * yi));
    columns[toY + i] = f(f(c * yi) - f(s * xi));
  }
  const moved = f(t * size);
  norms[p] = f(Math.max(alpha, beta) + moved);
  norms[q] = Math.max(f(Math.min(alpha, beta) - moved), 0);
  return true;
}
