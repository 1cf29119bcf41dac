import { describe, expect, test } from "vitest";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import { pivotLaws, residualPivoted, type PivotLaw } from "../../../src/ideas/residual-pivoted/index.js";
import { generator, type Generator } from "../../../src/random/index.js";
import {
  approximateAttention,
  eigenvaluesByRotation,
  eliminated,
  exponentialKernel,
  lawOf,
  pick,
  textbookAttention,
  traceOf,
  type Head,
  type Matrix,
} from "./plain-elimination.js";

const [batch, heads, queries, keys, width, channels] = [5, 2, 7, 6, 4, 3];
const rank = 3;
const draws = 20_000;

const sites = [0, 1].map((layer) => {
  const normals = (name: string, tokens: number, columns: number): Tensor =>
    tensor(generator(`${layer}${name}`).normals(batch * heads * tokens * columns, name === "v" ? 0.5 : 0), {
      shape: [batch, heads, tokens, columns],
      dtype: "float64",
    });
  return {
    layer,
    q: normals("q", queries, width),
    k: normals("k", keys, width),
    v: normals("v", keys, channels),
  };
});

/** Every head of the second and the fourth of the five inputs, layer by layer. */
const problems: readonly Head[] = sites.flatMap(({ q, k, v }) =>
  [1, 3].flatMap((element) =>
    [0, 1].map((head) => {
      const part = (x: Tensor): Matrix => (x.toArray() as Matrix[][])[element]![head]!;
      return { q: part(q), k: part(k), v: part(v) };
    }),
  ),
);

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

/** The trace identity at each rank of one head, from the matrix itself. */
function cellsOf(head: Head, law: PivotLaw, rng: Generator) {
  const kernel = exponentialKernel(head);
  let left = kernel;
  return Array.from({ length: rank }, () => {
    const share = lawOf(law, kernel, left);
    const decreases = left.map((_, s) =>
      share[s] === 0 ? 0 : (traceOf(left) - traceOf(eliminated(left, s))) / traceOf(kernel),
    );
    const uniform = lawOf("uniform", kernel, left);
    const expectation = (of: readonly number[]): number => sum(of.map((p, s) => p * decreases[s]!));
    // Both laws are drawn from with the same uniform numbers.
    const uniforms = Array.from({ length: draws }, () => rng.uniform());
    const drawn = (of: readonly number[]): number => mean(uniforms.map((each) => decreases[pick(of, each)]!));
    const predicted = sum(left.flat().map((x) => x ** 2)) / traceOf(left) / traceOf(kernel);
    const distances = decreases.map((decrease) => decrease - predicted);
    const cell = {
      predicted,
      expected: expectation(share),
      uniform: expectation(uniform),
      sampled: drawn(share),
      sampledUniform: drawn(uniform),
      variance: sum(share.map((p, s) => p * distances[s]! ** 2)),
      range: Math.max(...share.map((p, s) => (p === 0 ? 0 : Math.abs(distances[s]!)))),
    };
    left = eliminated(left, pick(share, rng.uniform()));
    return cell;
  });
}

type Cell = ReturnType<typeof cellsOf>[number];

function tail({ predicted, variance, range }: Cell, found: number): number {
  const distance = Math.max(0, Math.abs(found - predicted) - 1e-12);
  return Math.min(1, 2 * Math.exp((-draws * distance ** 2) / (2 * variance + (2 / 3) * range * distance)));
}

function qualityOf(head: Head, rng: Generator) {
  const exact = textbookAttention(head);
  const kernel = exponentialKernel(head);
  const values = eigenvaluesByRotation(kernel);
  const error = (output: readonly number[]): number =>
    Math.sqrt(sum(output.map((x, i) => (x - exact[i]!) ** 2)) / sum(exact.map((x) => x ** 2)));
  const laws = pivotLaws.map((law) => {
    const runs = Array.from({ length: law === "greedy" ? 1 : 8 }, () => {
      const pivots: number[] = [];
      for (const uniform of rng.uniforms(rank)) {
        pivots.push(pick(lawOf(law, kernel, pivots.reduce(eliminated, kernel)), uniform));
      }
      const run = approximateAttention(head, pivots);
      return { ...run, outputError: error(run.output) };
    });
    const average = (name: "traceLeft" | "outputError" | "floored" | "clamped"): number =>
      mean(runs.map((run) => run[name]));
    return [law, average] as const;
  });
  const middle = head.v[0]!.map((_, c) => mean(head.v.map((row) => row[c]!)));
  return {
    laws: new Map(laws),
    optimal: sum(values.slice(rank)) / sum(values),
    meanOfValues: error(head.q.flatMap(() => middle)),
  };
}

describe.each(["exp", "gaussian"] as const)("each figure of a signature with %s pivots", (law) => {
  const options = { ...residualPivoted.options, rank, pivots: law };
  const trained = { hiddenStates: () => [], attentionInputs: () => sites };
  const { figures, claims } = residualPivoted.measure(trained, options, generator("figures"));
  const identity = generator("figures").stream("identity");
  const quality = generator("figures").stream("quality");
  const cells = problems.flatMap((head) => cellsOf(head, law, identity));
  const qualities = problems.map((head) => qualityOf(head, quality));
  const scores = cells.map((cell) => (cell.sampled - cell.predicted) / Math.sqrt(cell.variance / draws));
  const errors = (name: "expected" | "uniform"): number[] =>
    cells.map((cell) => Math.abs(cell[name] - cell.predicted));
  const perLaw = (name: "traceLeft" | "outputError" | "floored" | "clamped"): Record<string, number> =>
    Object.fromEntries(pivotLaws.map((each) => [each, mean(qualities.map((q) => q.laws.get(each)!(name)))]));

  const wanted: Record<string, number | Record<string, number>> = {
    rank,
    problems: 8,
    notFinite: 0,
    cells: 8 * rank,
    draws,
    predicted: mean(cells.map((cell) => cell.predicted)),
    expected: mean(cells.map((cell) => cell.expected)),
    sampled: mean(cells.map((cell) => cell.sampled)),
    uniform: mean(cells.map((cell) => cell.uniform)),
    sampledUniform: mean(cells.map((cell) => cell.sampledUniform)),
    largestError: Math.max(...errors("expected")),
    largestUniformError: Math.max(...errors("uniform")),
    leastTail: Math.min(...cells.map((cell) => tail(cell, cell.sampled))),
    leastUniformTail: Math.min(...cells.map((cell) => tail(cell, cell.sampledUniform))),
    largestScore: Math.max(...scores.map(Math.abs)),
    rootMeanSquareScore: Math.sqrt(mean(scores.map((score) => score ** 2))),
    traceLeft: { optimal: mean(qualities.map((q) => q.optimal)), ...perLaw("traceLeft") },
    outputError: { meanOfValues: mean(qualities.map((q) => q.meanOfValues)), ...perLaw("outputError") },
    floored: perLaw("floored"),
    clamped: perLaw("clamped"),
  };

  test("no figure of events is idle", () => {
    for (const name of ["floored", "clamped"] as const) {
      for (const each of pivotLaws) expect((wanted[name] as Record<string, number>)[each]).toBeGreaterThan(0);
    }
  });

  test("there is no other", () => {
    expect(Object.keys(figures).sort()).toEqual(Object.keys(wanted).sort());
  });

  test.each(Object.keys(wanted))("%s is what the matrix itself gives", (name) => {
    const found = figures[name];
    const each = (x: unknown): [string, number][] =>
      typeof x === "number" ? [["", x]] : Object.entries(x as Record<string, number>);
    expect(each(found).map(([key]) => key)).toEqual(each(wanted[name]).map(([key]) => key));
    for (const [at, [, value]] of each(wanted[name]).entries()) {
      const scale = name.endsWith("Tail") ? Math.abs(value) : Math.max(1, Math.abs(value));
      expect(Math.abs(each(found)[at]![1] - value)).toBeLessThanOrEqual(1e-9 * scale);
    }
  });

  test("the claims rest on them", () => {
    expect(claims[0]!.observed).toBe(figures.largestError);
    expect(claims[0]!.control.observed).toBe(figures.largestUniformError);
    expect(claims.map(({ held }) => held)).toEqual(law === "exp" ? [true, true] : [false, false]);
  });
});
