// Moment-preserving truncation of batches of 8×8 matrices, and its gradient: four matrices at a time, one in
// each lane, so that no result depends on its neighbours. See ../compression.ts, whose operations these are,
// one by one.
import { decompose, FACTORS } from "./lanes/decomposition";
import { truncationDerivative } from "./lanes/derivative";
import { gather, MATRIX, scatter, scatterSpectrum, VECTOR } from "./lanes/matrices";
import { project, remove, restore } from "./lanes/projection";
import { addScaled } from "./lanes/vectors";

/**
 * out = C(H) `[batch, 8, 8]`; `factors` receives the decompositions, FACTORS bytes for each four matrices,
 * and s `[batch, 8]` the singular values. `work` is room for 6 KB and `count` vectors more.
 */
export function compress(
  h: usize,
  batch: i32,
  basis: usize,
  count: i32,
  rank: i32,
  removed: bool,
  out: usize,
  factors: usize,
  s: usize,
  work: usize,
): void {
  const state = work;
  const rest = work + MATRIX;
  const columns = work + 2 * MATRIX;
  const moments = work + 4 * MATRIX;
  for (let first = 0; first < batch; first += 4) {
    gather(h, first, batch, state);
    if (removed) remove(state, basis, count, moments, rest);
    decompose(removed ? rest : state, factors, columns);
    truncated(factors, rank, rest);
    if (count) {
      restore(rest, state, basis, count, moments, columns);
      restore(rest, state, basis, count, moments, columns);
    }
    scatter(rest, out, first, batch);
    scatterSpectrum(factors + 2 * MATRIX, s, first, batch);
    factors += FACTORS;
  }
}

/** out = Σ_{t < rank} s_t u_t v_tᵀ. */
function truncated(factors: usize, rank: i32, out: usize): void {
  const v = factors + MATRIX;
  const s = factors + 2 * MATRIX;
  for (let at: usize = 0; at < MATRIX; at += 16) v128.store(out + at, f32x4.splat(0));
  for (let t: usize = 0; t < <usize>rank; t++) {
    const size = v128.load(s + (t << 4));
    for (let i: usize = 0; i < 8; i++) {
      const factor = f32x4.mul(size, v128.load(factors + t * VECTOR + (i << 4)));
      addScaled(out + i * VECTOR, factor, v + t * VECTOR);
    }
  }
}

/**
 * out = P G + D with D = DT_r[G], or DT_r[(I−P) G] when `before` is set, and (I−P) D in its place when
 * `after` is set. `derivative`: 0 exact, clipped at `bound`; 1 tangent; 2 straight through, D = G. `work` as
 * for `compress`.
 */
export function pull(
  g: usize,
  batch: i32,
  basis: usize,
  count: i32,
  rank: i32,
  before: bool,
  after: bool,
  derivative: i32,
  bound: f32,
  factors: usize,
  out: usize,
  work: usize,
): void {
  const cotangent = work;
  const projection = work + MATRIX;
  const result = work + 2 * MATRIX;
  const scratch = work + 3 * MATRIX;
  const moments = work + 6 * MATRIX;
  for (let first = 0; first < batch; first += 4) {
    gather(g, first, batch, cotangent);
    if (count) {
      project(cotangent, basis, count, moments, projection);
      if (before) subtract(cotangent, projection);
    }
    if (derivative == 2) memory.copy(result, cotangent, MATRIX);
    else truncationDerivative(factors, rank, derivative == 1, bound, cotangent, result, scratch);
    if (count) {
      if (after) remove(result, basis, count, moments, result);
      for (let at: usize = 0; at < MATRIX; at += 16) {
        v128.store(result + at, f32x4.add(v128.load(projection + at), v128.load(result + at)));
      }
    }
    scatter(result, out, first, batch);
    factors += FACTORS;
  }
}

/** x −= y */
function subtract(x: usize, y: usize): void {
  for (let at: usize = 0; at < MATRIX; at += 16) {
    v128.store(x + at, f32x4.sub(v128.load(x + at), v128.load(y + at)));
  }
}
