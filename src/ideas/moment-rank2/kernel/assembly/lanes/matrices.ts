// Four matrices of 8×8 side by side: entry (i, j) of all four is one vector, at 16·(8·i + j) bytes. A matrix
// of a batch is 64 neighbouring numbers; lane l of a group holds matrix `first + l`, or the last one again
// where the batch has ended.

/** Bytes of four matrices, and of one vector of 8 entries of each. */
export const MATRIX: usize = 1024;
export const VECTOR: usize = 128;

// @ts-ignore: decorator
@inline
function addressOfLane(x: usize, first: i32, lane: i32, batch: i32): usize {
  return x + (<usize>min(first + lane, batch - 1) << 8);
}

/** Lanes ← matrices first … first + 3 of `x` `[batch, 8, 8]`. */
export function gather(x: usize, first: i32, batch: i32, lanes: usize): void {
  let p0 = addressOfLane(x, first, 0, batch);
  let p1 = addressOfLane(x, first, 1, batch);
  let p2 = addressOfLane(x, first, 2, batch);
  let p3 = addressOfLane(x, first, 3, batch);
  for (const end = lanes + MATRIX; lanes < end; lanes += 64) {
    const a = v128.load(p0);
    const b = v128.load(p1);
    const c = v128.load(p2);
    const d = v128.load(p3);
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
    const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
    const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
    v128.store(lanes, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
    v128.store(lanes, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7), 16);
    v128.store(lanes, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5), 32);
    v128.store(lanes, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7), 48);
    p0 += 16;
    p1 += 16;
    p2 += 16;
    p3 += 16;
  }
}

/**
 * Matrices first … first + 3 of `x` ← lanes; a lane beyond the batch writes the last matrix, which it
 * repeats.
 */
export function scatter(lanes: usize, x: usize, first: i32, batch: i32): void {
  let p0 = addressOfLane(x, first, 0, batch);
  let p1 = addressOfLane(x, first, 1, batch);
  let p2 = addressOfLane(x, first, 2, batch);
  let p3 = addressOfLane(x, first, 3, batch);
  for (const end = lanes + MATRIX; lanes < end; lanes += 64) {
    const a = v128.load(lanes);
    const b = v128.load(lanes, 16);
    const c = v128.load(lanes, 32);
    const d = v128.load(lanes, 48);
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const cd = v128.shuffle<f32>(c, d, 0, 4, 1, 5);
    const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7);
    const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7);
    v128.store(p0, v128.shuffle<f32>(ab, cd, 0, 1, 4, 5));
    v128.store(p1, v128.shuffle<f32>(ab, cd, 2, 3, 6, 7));
    v128.store(p2, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5));
    v128.store(p3, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7));
    p0 += 16;
    p1 += 16;
    p2 += 16;
    p3 += 16;
  }
}

/** Writes the 8 singular values of each lane into s `[batch, 8]`. */
export function scatterSpectrum(spectrum: usize, s: usize, first: i32, batch: i32): void {
  for (let lane = 0; lane < 4; lane++) {
    const to = s + (<usize>min(first + lane, batch - 1) << 5);
    const from = spectrum + (<usize>lane << 2);
    for (let j: usize = 0; j < 8; j++) f32.store(to + (j << 2), f32.load(from + (j << 4)));
  }
}
