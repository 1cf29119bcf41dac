// pivotBlock of kernel/backward.ts.
import {
  channels, pivotCotangents, pivotPoints, pointBytes, queries, queryRest, rowCotangents, rows, tapeColumns,
  tapeExact, tapeKeyWeights, tapePivots, valueRest, values, wideBytes,
} from "./problem";

/** H_i · κ_j [V, 1]_j in float64. */
function ownProduct(i: i32, j: i32, start: f64): f64 {
  const kappa = load<f32>(tapeKeyWeights + (<usize>j << 2));
  const h = rowCotangents + <usize>i * wideBytes;
  const value = values + <usize>j * wideBytes;
  let e = start;
  for (let c = 0; c <= channels; c++) {
    const at = <usize>c << 2;
    e += <f64>load<f32>(h + at) * <f64>(kappa * load<f32>(value + at));
  }
  return e;
}

/** What pairs of pivots are pulled together by: −P′_t·U′_s − P′_s·U′_t, and H_t·κ_s [V, 1]_s. */
export function pivotBlock(rank: i32): void {
  for (let t = 0; t < rank; t++) {
    const column = tapeColumns + (<usize>t * <usize>rows << 2);
    const pivotT = load<i32>(tapePivots + (<usize>t << 2));
    const exact = load<u8>(tapeExact + pivotT) == 1;
    for (let s = t + 1; s < rank; s++) {
      const ofT = <usize>t * wideBytes;
      const ofS = <usize>s * wideBytes;
      let e: f64 = 0;
      for (let c = 0; c <= channels; c++) {
        const at = <usize>c << 2;
        e -=
          <f64>load<f32>(queryRest + ofT + at) * <f64>load<f32>(valueRest + ofS + at) +
          <f64>load<f32>(queryRest + ofS + at) * <f64>load<f32>(valueRest + ofT + at);
      }
      const pivotS = load<i32>(tapePivots + (<usize>s << 2));
      const query = min(pivotT, pivotS);
      const key = max(pivotT, pivotS) - queries;
      if (exact && query < queries && key >= 0) e = ownProduct(query, key, e);
      const entry = load<f32>(column + (<usize>pivotS << 2));
      const weight = f32x4.splat(<f32>(e * <f64>entry));
      for (let c = 0; c < pointBytes; c += 16) {
        const first = <usize>t * pointBytes + c;
        const second = <usize>s * pointBytes + c;
        const difference = f32x4.sub(v128.load(pivotPoints + second), v128.load(pivotPoints + first));
        const force = f32x4.mul(weight, difference);
        v128.store(pivotCotangents + first, f32x4.add(v128.load(pivotCotangents + first), force));
        v128.store(pivotCotangents + second, f32x4.sub(v128.load(pivotCotangents + second), force));
      }
    }
  }
}
