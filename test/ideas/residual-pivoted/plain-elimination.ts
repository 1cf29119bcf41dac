import type { PivotLaw } from "../../../src/ideas/residual-pivoted/settings.js";

/** A square matrix by rows. */
export type Matrix = number[][];

/** One head in float64: q `[n, d]`, k `[m, d]`, v `[m, channels]`. */
export interface Head {
  readonly q: Matrix;
  readonly k: Matrix;
  readonly v: Matrix;
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

export const traceOf = (matrix: Matrix): number => sum(matrix.map((row, i) => row[i]!));

/** exp(X Xᵀ) itself with X = [Q; K − mean K] / d^¼: no Gaussian form, no factors. */
export function exponentialKernel({ q, k }: Head): Matrix {
  const width = q[0]!.length;
  const centre = q[0]!.map((_, c) => sum(k.map((row) => row[c]!)) / k.length);
  const centred = k.map((row) => row.map((x, c) => x - centre[c]!));
  const points = [...q, ...centred].map((row) => row.map((x) => x / width ** 0.25));
  return points.map((x) => points.map((y) => Math.exp(sum(x.map((value, c) => value * y[c]!)))));
}

/** R − R_s R_sᵀ / R_ss. */
export function eliminated(left: Matrix, pivot: number): Matrix {
  const column = left[pivot]!;
  return left.map((row, i) => row.map((x, j) => x - (column[i]! * column[j]!) / column[pivot]!));
}

/** The probabilities of the next pivot when R is left of K; rows that are used up have none. */
export function lawOf(law: PivotLaw, kernel: Matrix, left: Matrix): number[] {
  const share = left.map((row, i) => row[i]! / kernel[i]![i]!);
  const open = share.map((x) => x > 1e-12);
  const mass = left.map((row, i) => {
    if (!open[i]) return 0;
    return law === "uniform" ? 1 : law === "gaussian" ? share[i]! : row[i]!;
  });
  if (law === "greedy") {
    const best = mass.indexOf(Math.max(...mass));
    return mass.map((_, i) => (i === best ? 1 : 0));
  }
  return mass.map((x) => x / sum(mass));
}

/** The first row whose cumulated probability exceeds `uniform`. */
export function pick(law: readonly number[], uniform: number): number {
  let cumulated = 0;
  return law.findIndex((share) => (cumulated += share) > uniform);
}

/** Attention to the approximation K − R from given pivots, with the certified floor and the clamp. */
export function approximateAttention(head: Head, pivots: readonly number[]) {
  const kernel = exponentialKernel(head);
  const left = pivots.reduce(eliminated, kernel);
  const queries = head.q.length;
  const columns = head.v[0]!.map((_, c) => head.v.map((row) => row[c]!));
  let floored = 0;
  let clamped = 0;
  const output = head.q.flatMap((_, i) => {
    const row = kernel[i]!.map((x, j) => x - left[i]![j]!).slice(queries);
    const bound = Math.max(
      head.k.length,
      sum(pivots.filter((pivot) => pivot >= queries).map((pivot) => kernel[i]![pivot]!)),
    );
    const low = sum(row) < bound * (1 - 2 ** -26);
    if (low) floored++;
    const normaliser = low ? bound : sum(row);
    return columns.map((column) => {
      const raw = sum(column.map((value, j) => value * row[j]!)) / normaliser;
      const [least, largest] = [Math.min(...column), Math.max(...column)];
      const room = 2 ** -26 * (largest - least) + 2 ** -47 * Math.max(-least, largest);
      if (raw < least - room || raw > largest + room) clamped++;
      return Math.min(Math.max(raw, least), largest);
    });
  });
  return {
    output,
    traceLeft: traceOf(left) / traceOf(kernel),
    floored: floored / queries,
    clamped: clamped / output.length,
  };
}

/** Attention as the textbook writes it. */
export function textbookAttention({ q, k, v }: Head): number[] {
  return q.flatMap((x) => {
    const weights = k.map((y) => Math.exp(sum(x.map((value, c) => value * y[c]!)) / Math.sqrt(x.length)));
    return v[0]!.map((_, c) => sum(v.map((row, j) => row[c]! * weights[j]!)) / sum(weights));
  });
}

/** The eigenvalues of a symmetric matrix by cyclic Jacobi rotations, largest first. */
export function eigenvaluesByRotation(matrix: Matrix): number[] {
  const a = matrix.map((row) => [...row]);
  const n = a.length;
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const angle = Math.atan2(2 * a[p]![q]!, a[q]![q]! - a[p]![p]!) / 2;
        const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
        for (const row of a) {
          const [x, y] = [row[p]!, row[q]!];
          [row[p], row[q]] = [cosine * x - sine * y, sine * x + cosine * y];
        }
        const [top, bottom] = [a[p]!, a[q]!];
        a[p] = top.map((x, j) => cosine * x - sine * bottom[j]!);
        a[q] = top.map((x, j) => sine * x + cosine * bottom[j]!);
      }
    }
  }
  return a.map((row, i) => row[i]!).sort((x, y) => y - x);
}
