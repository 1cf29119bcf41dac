import type { Json, MathCheck, Signature } from "../../idea.js";
import type { TraceFigures } from "./measure.js";
import { claimsAlpha } from "./tolerances.js";

/** The figures of a signature with cells; undefined for a model without finite attention. */
function figuresOf(signature: Signature): (TraceFigures & Record<string, Json>) | undefined {
  return signature.figures.cells === 0
    ? undefined
    : (signature.figures as unknown as TraceFigures & Record<string, Json>);
}

/**
 * All seeds as one. `predicted` and `observed` are means over every cell, `observed` of the drawn pivots; the exact
 * expectation decides, and the sample is judged family-wise over all cells of all seeds: the number of cells times
 * the least Bernstein bound is a p-value of the whole, which must not be below {@link claimsAlpha}, and must be under uniform pivots.
 * Nothing is confirmed without any seed, when a check before training failed or there was none, or when the attention
 * of any seed was not finite: `without` names those where none of it was, `not_finite` counts the problems left out.
 */
export function summarizeResidualPivoted(
  checks: readonly MathCheck[],
  signatures: readonly { readonly seed: number; readonly signature: Signature }[],
): {
  readonly mechanism: { readonly [key: string]: Json };
  readonly mathematics: { readonly [key: string]: Json };
  readonly confirmed: boolean;
} {
  const mathematics = summarizeChecks(checks);
  const figures = signatures
    .map(({ signature }) => figuresOf(signature))
    .filter((each) => each !== undefined);
  const notFinite = signatures.reduce((sum, { signature }) => sum + Number(signature.figures.notFinite), 0);
  const prediction = "E[trace decrease] = ||R||_F^2 / tr(R)";
  if (figures.length === 0 || figures.length < signatures.length) {
    const without = signatures
      .filter(({ signature }) => figuresOf(signature) === undefined)
      .map(({ seed }) => seed);
    return {
      mechanism: {
        prediction,
        predicted: null,
        observed: null,
        confirmed: false,
        trained_model: true,
        without,
        not_finite: notFinite,
      },
      mathematics,
      confirmed: false,
    };
  }
  const cells = figures.reduce((sum, each) => sum + each.cells, 0);
  const mean = (of: (each: TraceFigures) => number): number =>
    figures.reduce((sum, each) => sum + of(each) * each.cells, 0) / cells;
  const predicted = mean((each) => each.predicted);
  const observed = mean((each) => each.sampled);
  const expected = mean((each) => each.expected);
  const familyP = Math.min(1, cells * Math.min(...figures.map((each) => each.leastTail)));
  const uniformP = Math.min(1, cells * Math.min(...figures.map((each) => each.leastUniformTail)));
  const sampleInside = familyP >= claimsAlpha;
  const uniformOutside = uniformP < claimsAlpha;
  const exactClaims = signatures.map(({ signature }) => signature.claims[0]!);
  const exact = exactClaims.every((claim) => claim.held && claim.control.refuted);
  const confirmed = mathematics.passed === true && notFinite === 0 && exact && sampleInside && uniformOutside;
  return {
    mechanism: {
      prediction,
      predicted,
      observed,
      relative_error: Math.abs(observed - predicted) / Math.abs(predicted),
      confirmed,
      trained_model: true,
      not_finite: notFinite,
      rank: figures[0]!.rank,
      unit: "fraction of tr K, mean over ranks, layers, heads, inputs and seeds",
      exact_expectation: expected,
      exact_relative_error: Math.abs(expected - predicted) / Math.abs(predicted),
      largest_exact_error: Math.max(...figures.map((each) => each.largestError)),
      exact_tolerance: exactClaims[0]!.tolerance,
      uniform_pivots: mean((each) => each.uniform),
      least_of_largest_uniform_errors: Math.min(...figures.map((each) => each.largestUniformError)),
      cells,
      draws: figures[0]!.draws,
      family_wise_p: familyP,
      family_wise_alpha: claimsAlpha,
      sample_inside: sampleInside,
      uniform_family_wise_p: uniformP,
      uniform_outside: uniformOutside,
      largest_score: Math.max(...figures.map((each) => each.largestScore)),
      trace_left: meanOfRecords(figures.map((each) => each.traceLeft as Record<string, number>)),
      output_error: meanOfRecords(figures.map((each) => each.outputError as Record<string, number>)),
      floored: meanOfRecords(figures.map((each) => each.floored as Record<string, number>)),
      clamped: meanOfRecords(figures.map((each) => each.clamped as Record<string, number>)),
    },
    mathematics,
    confirmed,
  };
}

function summarizeChecks(checks: readonly MathCheck[]): Record<string, Json> {
  return {
    passed: checks.length > 0 && checks.every((check) => check.passed),
    checks: checks.map(({ name, statement, observed, bound, passed }) => ({
      name,
      statement,
      observed,
      bound,
      passed,
    })),
  };
}

function meanOfRecords(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = Object.keys(records[0]!);
  return Object.fromEntries(
    names.map((name) => [name, records.reduce((sum, record) => sum + record[name]!, 0) / records.length]),
  );
}
