import fc from "fast-check";
import { generator, type Generator } from "../../../src/random/index.js";
import { randomPsdMatrix } from "../../../src/ideas/residual-pivoted/evidence/kernel-checks.js";
import {
  pointsOf,
  randomProblem,
  type Problem,
} from "../../../src/ideas/residual-pivoted/evidence/problem.js";
import {
  exponentialSubject,
  matrixSubject,
  type Subject,
} from "../../../src/ideas/residual-pivoted/evidence/subject.js";

/** A stream of its own for each case. */
export const generators: fc.Arbitrary<Generator> = fc
  .integer({ min: 0, max: 2 ** 31 })
  .map((seed) => generator(seed));

/** How wide q and k spread: from all but equal tokens to norms at which the kernel is all but diagonal. */
export const spreads = fc.constantFrom(0.1, 0.3, 1, 1.7, 3, 6);

/** Random q, k and v of small random sizes. */
export function problems(single: boolean): fc.Arbitrary<Problem> {
  return fc
    .record({
      rng: generators,
      queries: fc.integer({ min: 1, max: 12 }),
      keys: fc.integer({ min: 1, max: 12 }),
      width: fc.integer({ min: 1, max: 8 }),
      channels: fc.integer({ min: 1, max: 5 }),
      spread: spreads,
    })
    .map(({ rng, spread, ...size }) => randomProblem(size, single, spread, rng));
}

/** Random positive semidefinite matrices of any rank, full and deficient. */
export const psdSubjects: fc.Arbitrary<Subject> = fc
  .record({
    rng: generators,
    rows: fc.integer({ min: 2, max: 24 }),
    rank: fc.integer({ min: 1, max: 30 }),
    single: fc.boolean(),
  })
  .map(({ rng, rows, rank, single }) => matrixSubject(randomPsdMatrix(rows, rank, rng), rows, single));

/** Exponential kernels of random queries and keys. */
export function kernelSubjects(single: boolean): fc.Arbitrary<Subject> {
  return problems(single).map((problem) => exponentialSubject(pointsOf(problem)));
}
