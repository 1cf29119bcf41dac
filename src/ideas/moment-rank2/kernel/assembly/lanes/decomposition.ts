// The singular value decompositions of four matrices at a time; see src/tensor/linalg/jacobi-svd.ts.
import { orthonormalise } from "./basis";
import { sweep } from "./jacobi";
import { MATRIX, VECTOR } from "./matrices";
import { dot, greatestMagnitude, inverseScale, normalise, scaleBits } from "./vectors";

const sweeps: i32 = 10;

/** Bytes that one decomposition takes: the vectors u, the vectors v and the singular values. */
export const FACTORS: usize = 2 * MATRIX + VECTOR;

/**
 * Decomposes the matrices at `h`. `work` is room for the columns of the scaled matrices and SWEEP bytes more.
 * Which way a pair u_t, v_t points is left as it comes: in what is made of them the signs cancel, to the bit.
 */
export function decompose(h: usize, factors: usize, work: usize): void {
  const u = factors;
  const v = factors + MATRIX;
  const s = factors + 2 * MATRIX;
  const norms = work + MATRIX;
  const all = i32x4.splat(-1);
  const greatest = greatestMagnitude(h, 64);
  const finite = f32x4.lt(greatest, f32x4.splat(Infinity));
  const bits = scaleBits(greatest);
  loadColumns(h, inverseScale(bits), finite, u, work);
  for (let pass = 0; pass < sweeps && v128.any_true(sweep(u, norms)); pass++);
  for (let j: usize = 0; j < 8; j++) v128.store(norms + (j << 4), normalise(u + j * VECTOR, all));
  sortDescending(u, norms);
  orthonormalise(u);
  for (let j: usize = 0; j < 8; j++) {
    const one = u + j * VECTOR;
    const other = v + j * VECTOR;
    for (let i: usize = 0; i < 8; i++) v128.store(other + (i << 4), dot(work + i * VECTOR, one));
    normalise(other, all);
  }
  orthonormalise(v);
  for (let j: usize = 0; j < 128; j += 16) v128.store(s + j, f32x4.mul(v128.load(norms + j), bits));
  if (!v128.all_true<i32>(finite)) {
    const none = v128.not(finite);
    const end = factors + FACTORS;
    for (let at = factors; at < end; at += 16) v128.store(at, v128.or(v128.load(at), none));
  }
}

/** The columns of the matrices times `scale`, twice; zeros in the lanes that are not set. No entry is −0. */
function loadColumns(h: usize, scale: v128, lanes: v128, first: usize, second: usize): void {
  for (let j: usize = 0; j < 8; j++) {
    for (let i: usize = 0; i < 8; i++) {
      const entry = v128.and(v128.load(h + i * VECTOR + (j << 4)), lanes);
      const scaled = f32x4.add(f32x4.mul(entry, scale), f32x4.splat(0));
      v128.store(first + j * VECTOR + (i << 4), scaled);
      v128.store(second + j * VECTOR + (i << 4), scaled);
    }
  }
}

/**
 * Sorts the vectors by their norms, the greatest first; equal ones stay. Sweeps leave them all but sorted.
 */
function sortDescending(vectors: usize, norms: usize): void {
  let moved = true;
  while (moved) {
    moved = false;
    for (let j: usize = 0; j < 7; j++) {
      const before = v128.load(norms + (j << 4));
      const after = v128.load(norms + (j << 4), 16);
      const lanes = f32x4.gt(after, before);
      if (!v128.any_true(lanes)) continue;
      moved = true;
      exchange(norms + (j << 4), norms + (j << 4) + 16, lanes);
      const x = vectors + j * VECTOR;
      for (let i: usize = 0; i < VECTOR; i += 16) exchange(x + i, x + VECTOR + i, lanes);
    }
  }
}

// @ts-ignore: decorator
@inline
function exchange(a: usize, b: usize, lanes: v128): void {
  const x = v128.load(a);
  const y = v128.load(b);
  v128.store(a, v128.bitselect(y, x, lanes));
  v128.store(b, v128.bitselect(x, y, lanes));
}
