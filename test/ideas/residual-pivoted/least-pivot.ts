import type { Tensor } from "../../../src/autograd/index.js";

/**
 * How far the pivots are from repeating each other: the least squared diagonal entry of the Cholesky factor of their unit-diagonal
 * block exp(−|x_i − x_j|²/2) + ridge·I, over all problems, 1 for a single pivot. What is divided by that block, and differentiated
 * through it, has rounding errors in proportion to the inverse. q `[…, queries, d]`, k `[…, keys, d]`, pivots rows of [Q; K].
 */
export function leastPivot(q: Tensor, k: Tensor, pivots: Int32Array, ridge = 0): number {
  const [queries, width] = q.shape.slice(-2) as [number, number];
  const keys = k.shape.at(-2)!;
  const problems = q.size / (queries * width);
  const rank = pivots.length / problems;
  const x = q.values();
  const y = k.sub(k.mean(-2, { keepDims: true })).values();
  const entry = (problem: number, row: number, at: number): number =>
    row < queries
      ? x[(problem * queries + row) * width + at]!
      : y[(problem * keys + row - queries) * width + at]!;
  let least = 1 + ridge;
  for (let problem = 0; problem < problems; problem++) {
    const chosen = pivots.subarray(problem * rank, (problem + 1) * rank);
    const factor: number[][] = [];
    chosen.forEach((row, i) => {
      factor.push([]);
      for (let j = 0; j <= i; j++) {
        let distance = 0;
        for (let at = 0; at < width; at++)
          distance += (entry(problem, row, at) - entry(problem, chosen[j]!, at)) ** 2 / Math.sqrt(width);
        let left = Math.exp(-distance / 2) + (i === j ? ridge : 0);
        for (let t = 0; t < j; t++) left -= factor[i]![t]! * factor[j]![t]!;
        if (i === j) least = Math.min(least, left);
        factor[i]!.push(i === j ? Math.sqrt(Math.max(left, 0)) : left / factor[j]![j]!);
      }
    });
  }
  return Math.max(least, 0);
}
