import { spectralFactors } from "../../../../src/ideas/moment-rank2/kernel/spectral-factors.js";

/**
 * DT_r[G] of one n×n matrix as the formula is written, without any rearrangement: D = UᵀGV, X from D entry by entry with
 * a and b, then U·X·Vᵀ.
 */
export function derivativeByFormula(
  h: Float64Array,
  g: Float64Array,
  n: number,
  rank: number,
  bound: number | "tangent",
): Float64Array {
  const { u, s, v } = spectralFactors(h, 1, n, n);
  const sum = (f: (p: number, q: number) => number): number => {
    let total = 0;
    for (let p = 0; p < n; p++) for (let q = 0; q < n; q++) total += f(p, q);
    return total;
  };
  const d = (i: number, j: number): number => sum((p, q) => u[i * n + p]! * g[p * n + q]! * v[j * n + q]!);
  const x = Array.from({ length: n }, () => new Float64Array(n));
  for (let i = 0; i < rank; i++) {
    for (let j = 0; j < rank; j++) x[i]![j] = d(i, j);
    for (let j = rank; j < n; j++) {
      const [si, sj] = [s[i]!, s[j]!];
      const even = (d(i, j) + d(j, i)) / 2;
      const odd = (d(i, j) - d(j, i)) / 2;
      const flat = bound === "tangent" || sj === 0;
      const a = flat ? 1 : Math.min(bound, si / (si - sj));
      const b = flat ? 1 : si / (si + sj);
      x[i]![j] = a * even + b * odd;
      x[j]![i] = a * even - b * odd;
    }
  }
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [p, q] = [Math.floor(at / n), at % n];
    return sum((i, j) => u[i * n + p]! * x[i]![j]! * v[j * n + q]!);
  });
}
