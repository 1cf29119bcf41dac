import type { Floats } from "../../../tensor/index.js";
import type { ProblemTape } from "./tape.js";

/**
 * x ← L⁻¹ x, or L⁻ᵀ x with `transpose`, for the first `rank` rows of L and of x `[rank, channels + 1]`, in place and in
 * the precision of x. L keeps the stride of its capacity and the terms are subtracted from the first row to the last,
 * unlike `solveTriangular` of the tensor package, which needs a packed copy and goes the other way.
 */
export function solveLower(tape: ProblemTape, rank: number, x: Floats, transpose: boolean): void {
  const { lower, capacity } = tape;
  const single = x instanceof Float32Array;
  const wide = tape.size.channels + 1;
  for (let step = 0; step < rank; step++) {
    const t = transpose ? rank - 1 - step : step;
    const [from, to] = transpose ? [t + 1, rank] : [0, t];
    for (let s = from; s < to; s++) {
      const scale = lower[transpose ? s * capacity + t : t * capacity + s]!;
      for (let c = 0; c < wide; c++) {
        const product = scale * x[s * wide + c]!;
        x[t * wide + c] = x[t * wide + c]! - (single ? Math.fround(product) : product);
      }
    }
    const pivot = lower[t * capacity + t]!;
    for (let c = 0; c < wide; c++) x[t * wide + c] = x[t * wide + c]! / pivot;
  }
}
