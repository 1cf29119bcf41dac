import { describe, expect, test } from "vitest";
import { tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import {
  randomProblem,
  runProblem,
  type Problem,
} from "../../../src/ideas/residual-pivoted/evidence/problem.js";
import {
  composedPivotedAttention,
  residualPivotedAttention,
} from "../../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../../src/random/index.js";

const size = { queries: 8, keys: 8, width: 3, channels: 3 };
const settings = { rank: 3, pivots: "uniform", ridge: 0 } as const;

function problemAt(seed: number, single: boolean): { problem: Problem; held: Int32Array } {
  const rng = generator(seed);
  const problem = randomProblem(size, single, 3, rng);
  return { problem, held: runProblem(problem, settings, { rng }).tape.pivots };
}

/** The problem with a constant added to every value: the output moves by it where the normaliser is not floored. */
function moved(problem: Problem, by: number): Problem {
  const v = problem.v.slice();
  for (let i = 0; i < v.length; i++) v[i] = v[i]! + by;
  return { ...problem, v };
}

describe("a constant added to v", () => {
  test.each([
    ["float32", true, 1e3],
    ["float64", false, 1e6],
  ])("changes no event in %s", (_, single, by) => {
    let clamped = 0;
    for (let seed = 0; seed < 100; seed++) {
      const { problem, held } = problemAt(seed, single);
      const flags = (of: Problem): number[] => {
        const { tape } = runProblem(of, settings, { held });
        return [...tape.clamped].filter((__, at) => tape.floored[Math.floor(at / size.channels)] === 0);
      };
      const here = flags(problem);
      clamped += here.filter((flag) => flag === 1).length;
      expect(flags(moved(problem, by))).toEqual(here);
    }
    expect(clamped).toBeGreaterThan(3);
  });

  test("changes no gradient in v, which is zero through what was clamped", () => {
    let clamped = 0;
    for (let seed = 0; seed < 100; seed++) {
      const { problem, held } = problemAt(seed, false);
      const { tape } = runProblem(problem, settings, { held });
      const at = tape.clamped.findIndex(
        (flag, i) => flag === 1 && tape.floored[Math.floor(i / size.channels)] === 0,
      );
      if (at < 0) continue;
      clamped++;
      for (const of of [problem, moved(problem, 1e6)]) {
        const [q, k, v] = [of.q, of.k, of.v].map((x) => tensor(x, { shape: [8, 3], dtype: "float64" }));
        const fused = (x: Tensor): Tensor =>
          residualPivotedAttention(q!, k!, x, { ...settings, held }).output;
        const composed = (x: Tensor): Tensor => composedPivotedAttention(q!, k!, x, held);
        const cotangent = new Float64Array(24);
        cotangent[at] = 1;
        for (const attention of [fused, composed]) {
          const [dv] = vjp((x) => attention(x!), v!).pullback(
            tensor(cotangent, { shape: [8, 3], dtype: "float64" }),
          );
          expect([...dv!.values()]).toEqual(new Array(24).fill(0));
        }
      }
    }
    expect(clamped).toBeGreaterThan(3);
  });
});
