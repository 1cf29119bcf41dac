import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generator } from "../../../src/random/index.js";
import {
  meanResidualError,
  residualMatrix,
} from "../../../src/ideas/residual-pivoted/evidence/kernel-checks.js";
import { pointsOf, randomProblem } from "../../../src/ideas/residual-pivoted/evidence/problem.js";
import { bernsteinTail } from "../../../src/ideas/residual-pivoted/evidence/sampling-interval.js";
import {
  exponentialSubject,
  matrixSubject,
  startOn,
  trace,
  type Subject,
} from "../../../src/ideas/residual-pivoted/evidence/subject.js";
import { negligibleTrace } from "../../../src/ideas/residual-pivoted/evidence/tolerances.js";
import { symmetricEigenvalues } from "../../../src/ideas/residual-pivoted/spectrum/symmetric-eigenvalues.js";
import { traceIdentity } from "../../../src/ideas/residual-pivoted/evidence/trace-identity.js";
import { pickPivot, pivotMass } from "../../../src/ideas/residual-pivoted/kernel/pivot-law.js";
import {
  emptyPoints,
  gaussianColumn,
  gaussianMatrix,
  placePoints,
} from "../../../src/ideas/residual-pivoted/kernel/points.js";
import { eliminate, type Residual } from "../../../src/ideas/residual-pivoted/kernel/residual.js";
import { generators, kernelSubjects, psdSubjects } from "./arbitraries.js";
import { roundingBound } from "./rounding-bound.js";

const ranks = fc.integer({ min: 1, max: 8 });

function draw(subject: Subject, capacity: number, rng: ReturnType<typeof generator>): Residual {
  const residual = startOn(subject, capacity);
  const mass = new Float64Array(subject.rows);
  const column = subject.single ? new Float32Array(subject.rows) : new Float64Array(subject.rows);
  for (let step = 0; step < capacity; step++) {
    const total = pivotMass("exp", residual, mass);
    if (total === 0) break;
    const pivot = pickPivot(mass, total, rng.uniform());
    subject.column(pivot, column);
    eliminate(residual, pivot, column);
  }
  return residual;
}

/**
 * What rounding may do to the expected decrease of the trace, of tr K. An entry of a residual R with unit diagonal in A is a
 * difference of rank + 1 products, off by ε = 4·(rank + 1)·u. The expected decrease Σ_s (R_ss/Σ)·Σ_i R_is²/R_ss is then off by
 * (ε/Σ)·Σ_s (2·Σ_i |R_is| + Σ_i R_is²/R_ss) ≤ 3·n·ε, since |R_is|² ≤ R_ii·R_ss; and tr K is n.
 */
function identityRounding(rank: number, single: boolean): number {
  return 3 * 4 * (rank + 1) * (single ? 2 ** -24 : 2 ** -53);
}

describe("the trace identity in exact expectation", () => {
  for (const [name, single, tolerance] of [
    ["float32", true, 1e-6],
    ["float64", false, 1e-12],
  ] as const) {
    test(`holds on exponential kernels in ${name} at every rank`, () => {
      fc.assert(
        fc.property(kernelSubjects(single), ranks, generators, (subject, rank, rng) => {
          for (const cell of traceIdentity(subject, rank, "exp", rng)) {
            expect(Math.abs(cell.expected - cell.predicted)).toBeLessThanOrEqual(
              Math.max(tolerance, identityRounding(cell.rank, single)),
            );
          }
        }),
      );
    });
  }

  test("holds on any positive semidefinite matrix", () => {
    fc.assert(
      fc.property(psdSubjects, ranks, generators, (subject, rank, rng) => {
        for (const cell of traceIdentity(subject, rank, "exp", rng)) {
          const tolerance = Math.max(
            subject.single ? 1e-6 : 1e-12,
            identityRounding(cell.rank, subject.single),
          );
          expect(Math.abs(cell.expected - cell.predicted)).toBeLessThanOrEqual(tolerance);
        }
      }),
    );
  });

  test("is the closed form on a diagonal matrix: Σ λ² / Σ λ", () => {
    const matrix = Float64Array.of(1, 0, 0, 0, 2, 0, 0, 0, 5);
    const [first] = traceIdentity(matrixSubject(matrix, 3, false), 1, "exp", generator(1));
    expect(first!.predicted).toBeCloseTo(30 / 8 / 8, 14);
    expect(first!.expected).toBeCloseTo(30 / 8 / 8, 14);
    expect(first!.uniform).toBeCloseTo(8 / 3 / 8, 14);
  });

  test("fails under every other law", () => {
    const problem = randomProblem({ queries: 12, keys: 12, width: 8, channels: 1 }, false, 1, generator(2));
    const subject = exponentialSubject(pointsOf(problem));
    for (const law of ["gaussian", "uniform", "greedy"] as const) {
      const cells = traceIdentity(subject, 4, law, generator(3));
      expect(Math.max(...cells.map((cell) => Math.abs(cell.expected - cell.predicted)))).toBeGreaterThan(
        1e-3,
      );
    }
  });

  test("E[R'] = R − R²/tr R entry by entry", () => {
    fc.assert(
      fc.property(fc.oneof(kernelSubjects(false), psdSubjects), generators, (subject, rng) => {
        expect(meanResidualError(subject, 4, rng)).toBeLessThanOrEqual(subject.single ? 2e-6 : 1e-12);
      }),
    );
  });
});

describe("the elimination ends where what remains of tr K is too little to tell", () => {
  test.each([
    ["float32", true, 1e-3, 2],
    ["float32", true, 9e-7, 1],
    ["float64", false, 9e-7, 2],
    ["float64", false, 9e-13, 1],
  ])("%s (%s): beside 1, a diagonal of %d is evidence at ranks below %d", (_, single, small, count) => {
    const subject = matrixSubject(Float64Array.of(1, 0, 0, small), 2, single);
    expect(traceIdentity(subject, 2, "greedy", generator(1)).map((cell) => cell.rank)).toEqual(
      [0, 1].slice(0, count),
    );
  });

  test("which is never below c·u of it, and never before the first pivot", () => {
    fc.assert(
      fc.property(
        fc.oneof(kernelSubjects(true), kernelSubjects(false), psdSubjects),
        fc.integer({ min: 1, max: 40 }),
        generators,
        (subject, rank, rng) => {
          const cells = traceIdentity(subject, rank, "exp", rng);
          const dust = Math.max(8, rank) * (subject.single ? 2 ** -24 : 2 ** -53);
          for (const { remaining } of cells) expect(remaining).toBeGreaterThan(dust);
          expect(cells[0]!.remaining).toBeCloseTo(1, 12);
        },
      ),
    );
    expect(negligibleTrace(30, true)).toBe(30 * 2 ** -24);
    expect(negligibleTrace(4, true)).toBe(1e-6);
    expect(negligibleTrace(10_000, false)).toBe(10_000 * 2 ** -53);
  });
});

test("the mean of 20,000 draws lies inside the family-wise interval, and that of uniform pivots outside", () => {
  const rng = generator("draws");
  const cells = Array.from({ length: 8 }, (_, at) => {
    const size = { queries: 16, keys: 16, width: 8, channels: 1 };
    const subject = exponentialSubject(pointsOf(randomProblem(size, true, 0.5 + at / 10, rng)));
    return traceIdentity(subject, 4, "exp", rng, 20_000);
  }).flat();
  expect(cells.length).toBe(32);
  const familyP = (sampled: "sampled" | "sampledUniform"): number =>
    cells.length * Math.min(...cells.map((cell) => bernsteinTail(cell[sampled]!, 1e-6)));
  expect(familyP("sampled")).toBeGreaterThan(0.01);
  expect(familyP("sampledUniform")).toBeLessThan(1e-20);
});

test.each([true, false])(
  "the columns of the kernel have the bits of one column alone (float32: %s)",
  (single) => {
    const size = { queries: 9, keys: 11, width: 5, channels: 1 };
    const { q, k } = randomProblem(size, single, 1, generator("columns"));
    const points = emptyPoints(size, single);
    placePoints(
      points,
      q,
      k,
      undefined,
      Uint8Array.from({ length: 11 }, (_, j) => (j % 4 === 1 ? 0 : 1)),
    );
    const rows = points.present.length;
    const matrix = gaussianMatrix(points);
    points.present.forEach((present, pivot) => {
      const column = single ? new Float32Array(rows) : new Float64Array(rows);
      if (present === 1) gaussianColumn(points, pivot, column);
      expect(matrix.subarray(pivot * rows, (pivot + 1) * rows)).toEqual(column);
    });
  },
);

describe("the residual of the kernel", () => {
  test("is positive semidefinite up to rounding, with |R_ij| ≤ √(R_ii R_jj)", () => {
    fc.assert(
      fc.property(
        fc.oneof(kernelSubjects(false), kernelSubjects(true), psdSubjects),
        ranks,
        generators,
        (subject, rank, rng) => {
          const { rows } = subject;
          const residual = draw(subject, rank, rng);
          const whole = trace(subject.kernel, rows);
          const left = residualMatrix(subject, residual.factor, residual.rank).map((entry) => entry / whole);
          const dust = subject.single ? 2e-6 : 1e-14;
          expect(symmetricEigenvalues(left, rows)[rows - 1]!).toBeGreaterThanOrEqual(-dust);
          for (let i = 0; i < rows; i++) {
            for (let j = 0; j < rows; j++) {
              const [a, b, c] = [left[i * rows + i]! + dust, left[j * rows + j]! + dust, left[i * rows + j]!];
              expect(a * b - c * c).toBeGreaterThanOrEqual(0);
            }
          }
        },
      ),
    );
  });

  test("vanishes in the rows and columns of the pivots", () => {
    fc.assert(
      fc.property(
        fc.oneof(kernelSubjects(false), kernelSubjects(true)),
        ranks,
        generators,
        (subject, rank, rng) => {
          const { rows, single } = subject;
          const residual = startOn(subject, rank);
          const column = single ? new Float32Array(rows) : new Float64Array(rows);
          const pivots = rng.permutation(rows).slice(0, rank);
          const kept = pivots.filter((pivot) => {
            subject.column(pivot, column);
            return eliminate(residual, pivot, column);
          });
          kept.forEach((pivot, order) => {
            subject.column(pivot, column);
            const bound = roundingBound(residual, kept, order, Math.max(...startOn(subject, 1).diagonal));
            for (let i = 0; i < rows; i++) {
              let sum = 0;
              for (let t = 0; t < residual.rank; t++) {
                sum += residual.factor[t * rows + i]! * residual.factor[t * rows + pivot]!;
              }
              expect(Math.abs(sum - column[i]!)).toBeLessThanOrEqual(bound[i]!);
            }
            expect(residual.diagonal[pivot]).toBe(0);
          });
        },
      ),
    );
  });

  test("has the diagonal that the elimination keeps", () => {
    fc.assert(
      fc.property(kernelSubjects(false), ranks, generators, (subject, rank, rng) => {
        const { rows } = subject;
        const residual = draw(subject, rank, rng);
        const left = residualMatrix(subject, residual.factor, residual.rank);
        for (let i = 0; i < rows; i++) {
          const kept = residual.diagonal[i]! * subject.kernel[i * rows + i]!;
          expect(Math.abs(left[i * rows + i]! - kept)).toBeLessThanOrEqual(1e-14);
        }
      }),
    );
  });
});
