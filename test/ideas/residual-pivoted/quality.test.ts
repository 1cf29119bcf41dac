import fc from "fast-check";
import { expect, test } from "vitest";
import { residualMatrix } from "../../../src/ideas/residual-pivoted/evidence/kernel-checks.js";
import {
  meanOfValues,
  pointsOf,
  randomProblem,
  runProblem,
  runRepeatedly,
} from "../../../src/ideas/residual-pivoted/evidence/problem.js";
import { measureQuality, relativeError } from "../../../src/ideas/residual-pivoted/evidence/quality.js";
import { exponentialSubject, trace } from "../../../src/ideas/residual-pivoted/evidence/subject.js";
import { pivotLaws } from "../../../src/ideas/residual-pivoted/settings.js";
import { generator } from "../../../src/random/index.js";
import { problems } from "./arbitraries.js";

const greedy = { rank: 3, pivots: "greedy", ridge: 0 } as const;

test("the trace that is left is that of K − F Fᵀ, never below the optimal tail", () => {
  fc.assert(
    fc.property(problems(false), (problem) => {
      const { optimalTrace, laws } = measureQuality(problem, greedy, generator(1), 2);
      const run = runProblem(problem, greedy, { rng: generator(1) });
      const subject = exponentialSubject(pointsOf(problem));
      const left = trace(residualMatrix(subject, run.tape.factor, run.rank), subject.rows);
      const share = left / trace(subject.kernel, subject.rows);
      expect(Math.abs(laws.greedy.traceLeft - share)).toBeLessThanOrEqual(1e-14);
      for (const law of pivotLaws) expect(laws[law].traceLeft).toBeGreaterThanOrEqual(optimalTrace - 1e-14);
    }),
  );
});

test.each([true, false])(
  "runs in one batch have the bits of one run after another (float32: %s)",
  (single) => {
    const problem = randomProblem({ queries: 9, keys: 11, width: 5, channels: 3 }, single, 1, generator(6));
    const [batched, alone] = [generator(7), generator(7)];
    for (const pivots of pivotLaws) {
      const settings = { rank: 4, pivots, ridge: 0 };
      for (const { tape, rank, output } of runRepeatedly(problem, settings, batched, 3)) {
        const own = runProblem(problem, settings, { rng: alone });
        expect([rank, output]).toEqual([own.rank, own.output]);
        expect([tape.pivots, tape.factor]).toEqual([own.tape.pivots, own.tape.factor]);
        expect([tape.floored, tape.clamped]).toEqual([own.tape.floored, own.tape.clamped]);
      }
    }
  },
);

test("with every point as a pivot nothing is left and the output is exact", () => {
  const problem = randomProblem({ queries: 5, keys: 5, width: 4, channels: 3 }, false, 1, generator(2));
  const { optimalTrace, laws } = measureQuality(problem, { ...greedy, rank: 10 }, generator(3), 2);
  expect(optimalTrace).toBeLessThan(1e-14);
  for (const law of pivotLaws) {
    expect(laws[law].traceLeft).toBeLessThan(1e-14);
    expect(laws[law].outputError).toBeLessThan(1e-13);
    expect([laws[law].floored, laws[law].clamped]).toEqual([0, 0]);
  }
});

test("attending to nothing in particular is the mean of the values, and right when all keys are equal", () => {
  const problem = randomProblem({ queries: 4, keys: 6, width: 3, channels: 2 }, false, 1, generator(4));
  const flat = { ...problem, k: new Float64Array(18).fill(0.3) };
  expect(measureQuality(flat, greedy, generator(5), 1).meanOfValuesError).toBeLessThan(1e-14);
  expect(measureQuality(problem, greedy, generator(5), 1).meanOfValuesError).toBeGreaterThan(0.1);
  const column = [0, 2, 4, 6, 8, 10].map((at) => problem.v[at]!);
  expect(meanOfValues(problem)[4]).toBeCloseTo(column.reduce((a, b) => a + b, 0) / 6, 14);
});

test("the relative error is a ratio of norms", () => {
  expect(relativeError([3, 4], [0, 4])).toBeCloseTo(0.75, 15);
});
