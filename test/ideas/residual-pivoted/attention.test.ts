import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matmul, softmax, tensor, type Tensor } from "../../../src/autograd/index.js";
import {
  residualPivotedAttention,
  type AttentionOptions,
} from "../../../src/ideas/residual-pivoted/index.js";
import {
  clampLoss,
  errorIdentityError,
  pivotColumnError,
} from "../../../src/ideas/residual-pivoted/evidence/attention-checks.js";
import { randomProblem, runProblem } from "../../../src/ideas/residual-pivoted/evidence/problem.js";
import { relativeError } from "../../../src/ideas/residual-pivoted/evidence/quality.js";
import { pivotLaws } from "../../../src/ideas/residual-pivoted/settings.js";
import { generator } from "../../../src/random/index.js";
import { generators, problems, spreads } from "./arbitraries.js";
import { roundingBound } from "./rounding-bound.js";
import { runs } from "../../runs.js";

type DType = "float32" | "float64";

function normals(seed: string, shape: number[], std = 1, dtype: DType = "float32"): Tensor {
  const size = shape.reduce((product, each) => product * each, 1);
  return tensor(generator(seed).normals(size, 0, std), { shape, dtype });
}

/** Attention as the textbook writes it. */
function textbook(q: Tensor, k: Tensor, v: Tensor): Tensor {
  return matmul(softmax(matmul(q, k.transpose()).div(Math.sqrt(q.shape.at(-1)!)), -1), v);
}

const attend = (q: Tensor, k: Tensor, v: Tensor, options: AttentionOptions = {}) =>
  residualPivotedAttention(q, k, v, { rng: generator("pivots"), ...options });

describe("with all points as pivots it is exact attention", () => {
  for (const [dtype, tolerance] of [
    ["float64", 1e-14],
    ["float32", 2e-6],
  ] as const) {
    for (const pivots of pivotLaws) {
      test(`${dtype}, ${pivots}`, () => {
        fc.assert(
          fc.property(
            fc.nat(),
            spreads.filter((spread) => spread < 3),
            (seed, spread) => {
              const [q, k] = ["q", "k"].map((name) => normals(`${seed}${name}`, [2, 3, 7, 5], spread, dtype));
              const v = normals(`${seed}v`, [2, 3, 7, 4], 1, dtype);
              const { output } = attend(q!, k!, v, { rank: 14, pivots });
              expect(relativeError(output.values(), textbook(q!, k!, v).values())).toBeLessThan(tolerance);
            },
          ),
          { numRuns: runs(20) },
        );
      });
    }
  }

  test("at larger norms too, when the pivots follow the kernel", () => {
    const [q, k, v] = ["q", "k", "v"].map((name) => normals(name, [6, 7, 5], name === "v" ? 1 : 3.5));
    const { output } = attend(q!, k!, v!, { rank: 14 });
    expect(relativeError(output.values(), textbook(q!, k!, v!).values())).toBeLessThan(1e-5);
  });

  test("with more queries than keys, and fewer", () => {
    for (const [queries, keys] of [
      [9, 2],
      [1, 6],
    ] as const) {
      const q = normals("q", [queries, 4], 1, "float64");
      const k = normals("k", [keys, 4], 1, "float64");
      const v = normals("v", [keys, 3], 1, "float64");
      const { output } = attend(q, k, v, { rank: queries + keys });
      expect(output.shape).toEqual([queries, 3]);
      expect(relativeError(output.values(), textbook(q, k, v).values())).toBeLessThan(1e-12);
    }
  });
});

describe("the laws of the approximation", () => {
  const drawn = fc.record({
    problem: problems(false),
    rank: fc.integer({ min: 1, max: 10 }),
    rng: generators,
  });

  test("it is exact in the pivots' rows and columns", () => {
    fc.assert(
      fc.property(drawn, ({ problem, rank, rng }) => {
        const run = runProblem(problem, { rank, pivots: "exp", ridge: 0 }, { rng });
        const { tape } = run;
        const factors = {
          factor: tape.factor,
          rows: tape.points.present.length,
          rank: run.rank,
          single: false,
        };
        const pivots = tape.pivots.slice(0, run.rank);
        const allowed = [...pivots].map((_, s) => Math.max(...roundingBound(factors, pivots, s, 1)));
        expect(pivotColumnError(run)).toBeLessThanOrEqual(Math.max(1e-14, ...allowed));
      }),
    );
  });

  test("ô_i − o_i = (1/Z_i) Σ_j e_ij (v_j − ô_i)", () => {
    let rows = 0;
    fc.assert(
      fc.property(drawn, ({ problem, rank, rng }) => {
        const run = runProblem(problem, { rank, pivots: "exp", ridge: 0 }, { rng });
        rows += run.tape.floored.filter((flag) => flag === 0).length;
        expect(errorIdentityError(problem, run) ?? 0).toBeLessThanOrEqual(1e-9);
      }),
    );
    expect(rows).toBeGreaterThan(50);
  });

  test("the clamp never moves an output away from the exact one, and leaves it in the range of the values", () => {
    let clamped = 0;
    fc.assert(
      fc.property(drawn, ({ problem, rank, rng }) => {
        const run = runProblem(problem, { rank, pivots: "uniform", ridge: 0 }, { rng });
        clamped += run.tape.clamped.filter((flag) => flag === 1).length;
        expect(clampLoss(problem, run) ?? 0).toBeLessThanOrEqual(1e-12);
        const { channels } = problem.size;
        run.output.forEach((value: number, at: number) => {
          const column = problem.v.filter((_: number, i: number) => i % channels === at % channels);
          expect(value).toBeGreaterThanOrEqual(Math.min(...column));
          expect(value).toBeLessThanOrEqual(Math.max(...column));
        });
      }),
      { numRuns: runs(300) },
    );
    expect(clamped).toBeGreaterThan(10);
  });

  test("the floor is a lower bound of the exact normaliser", () => {
    let floored = 0;
    fc.assert(
      fc.property(drawn, ({ problem, rank, rng }) => {
        const { tape } = runProblem(problem, { rank, pivots: "exp", ridge: 0 }, { rng });
        const { queries, keys, width, squaredNorms, rows } = tape.points;
        const shift = Math.max(...squaredNorms.subarray(queries)) / 2;
        for (let i = 0; i < queries; i++) {
          if (tape.floored[i] === 0) continue;
          floored++;
          let exact = 0;
          for (let j = queries; j < queries + keys; j++) {
            let score = -squaredNorms[i]! / 2 - shift;
            for (let c = 0; c < width; c++) score += rows[i * width + c]! * rows[j * width + c]!;
            exact += Math.exp(score);
          }
          expect(tape.normaliser[i]!).toBeLessThanOrEqual(exact * (1 + 1e-12));
        }
      }),
    );
    expect(floored).toBeGreaterThan(50);
  });

  test("a ridge keeps it between nothing and the approximation without one", () => {
    const problem = randomProblem({ queries: 6, keys: 6, width: 4, channels: 2 }, false, 1, generator(5));
    const plain = runProblem(problem, { rank: 5, pivots: "greedy", ridge: 0 }, { rng: generator(0) });
    const ridged = runProblem(problem, { rank: 5, pivots: "greedy", ridge: 0.1 }, { rng: generator(0) });
    const tiny = runProblem(problem, { rank: 5, pivots: "greedy", ridge: 1e-13 }, { rng: generator(0) });
    expect(relativeError(tiny.tape.factor, plain.tape.factor)).toBeLessThan(1e-10);
    expect(ridged.tape.pivots).toEqual(plain.tape.pivots);
    for (let i = 0; i < 12; i++) {
      const square = (factor: ArrayLike<number>): number =>
        [0, 1, 2, 3, 4].reduce((sum, t) => sum + factor[t * 12 + i]! ** 2, 0);
      expect(square(ridged.tape.factor)).toBeLessThan(square(plain.tape.factor));
    }
  });

  test("a constant added to every key changes nothing but rounding", () => {
    const [q, k, v] = ["q", "k", "v"].map((name) => normals(name, [4, 9, 8], 1, "float64"));
    const moved = k!.add(normals("shift", [1, 1, 8], 2, "float64"));
    const [a, b] = [attend(q!, k!, v!), attend(q!, moved, v!)];
    expect(b.statistics.pivots).toEqual(a.statistics.pivots);
    expect(relativeError(b.output.values(), a.output.values())).toBeLessThan(1e-12);
  });
});

describe("the batch", () => {
  test("is the stack of its problems, to the last bit", () => {
    const [q, k, v] = ["q", "k", "v"].map((name) => normals(name, [2, 3, 8, 4]));
    const { output, statistics } = attend(q!, k!, v!);
    const whole = output.values();
    for (let b = 0; b < 2; b++) {
      for (let h = 0; h < 3; h++) {
        const at = b * 3 + h;
        const held = statistics.pivots.slice(at * 4, at * 4 + 4);
        const part = (x: Tensor): Tensor => x.slice([b, h]);
        const single = residualPivotedAttention(part(q!), part(k!), part(v!), { held });
        expect(single.output.values()).toEqual(whole.slice(at * 32, at * 32 + 32));
      }
    }
  });

  test("draws rank numbers a problem, whatever the data", () => {
    const zeros = tensor(new Float32Array(96), { shape: [3, 8, 4] });
    const random = normals("q", [3, 8, 4]);
    const [first, second, third] = [generator(1), generator(1), generator(1)];
    attend(zeros, zeros, zeros, { rng: first });
    attend(random, random, random, { rng: second });
    third.uniforms(3 * 4);
    const next = third.uniform();
    expect([first.uniform(), second.uniform()]).toEqual([next, next]);
  });

  test("statistics can be replayed, and count what happened", () => {
    const [q, k, v] = ["q", "k", "v"].map((name) => normals(name, [5, 12, 8], 1.5));
    const { output, statistics } = attend(q!, k!, v!, { pivots: "uniform" });
    const again = residualPivotedAttention(q!, k!, v!, { held: statistics.pivots });
    expect(again.output.values()).toEqual(output.values());
    expect(again.statistics).toEqual(statistics);
    expect([...statistics.ranks]).toEqual([4, 4, 4, 4, 4]);
    expect(statistics.normalisers).toBe(60);
    expect(statistics.outputs).toBe(480);
    expect(statistics.floored).toBeGreaterThan(0);
  });
});

describe("bad input", () => {
  const x = normals("x", [2, 5, 4]);
  const code = (f: () => unknown): string => {
    try {
      f();
    } catch (error) {
      return (error as { code: string }).code;
    }
    return "nothing was thrown";
  };

  const wrongAtTheEnd = new Int32Array(400_000).fill(-1).fill(10, 399_999);

  test("-1 ends the pivots of a problem, and the next one has its own", () => {
    const held = Int32Array.of(3, -1, -1, -1, 4, 7, -1, -1);
    const { statistics } = attend(x, x, x, { held });
    expect(statistics.pivots).toEqual(held);
    expect([...statistics.ranks]).toEqual([1, 2]);
  });

  test.each([
    ["rank 0", "E_VALUE", () => attend(x, x, x, { rank: 0 })],
    ["a fractional rank", "E_VALUE", () => attend(x, x, x, { rank: 2.5 })],
    ["a negative ridge", "E_VALUE", () => attend(x, x, x, { ridge: -1 })],
    ["an unknown law", "E_VALUE", () => attend(x, x, x, { pivots: "best" as "exp" })],
    ["no generator", "E_VALUE", () => residualPivotedAttention(x, x, x)],
    ["held rows outside", "E_VALUE", () => attend(x, x, x, { held: new Int32Array(8).fill(10) })],
    ["held rows below -1", "E_VALUE", () => attend(x, x, x, { held: new Int32Array(8).fill(-2) })],
    [
      "a held row after -1",
      "E_VALUE",
      () => attend(x, x, x, { held: Int32Array.of(0, 1, 2, 3, 4, -1, 5, 6) }),
    ],
    ["a wrong row in a big array", "E_VALUE", () => attend(x, x, x, { rank: 200_000, held: wrongAtTheEnd })],
    ["too few held rows", "E_VALUE", () => attend(x, x, x, { held: new Int32Array(7) })],
    ["other widths", "E_SHAPE", () => attend(x, normals("k", [2, 5, 3]), x)],
    ["other batches", "E_SHAPE", () => attend(x, normals("k", [3, 5, 4]), x)],
    ["values for other keys", "E_SHAPE", () => attend(x, x, normals("v", [2, 6, 4]))],
    ["a vector", "E_SHAPE", () => attend(normals("q", [4]), normals("k", [4]), normals("v", [4]))],
    ["mixed types", "E_DTYPE", () => attend(x, x.cast("float64"), x)],
    ["a float mask", "E_SHAPE", () => attend(x, x, x, { keyMask: normals("m", [2, 5]) })],
    ["a short mask", "E_SHAPE", () => attend(x, x, x, { keyMask: normals("m", [2, 4]).greater(0) })],
  ])("%s is %s", (_, expected, f) => {
    expect(code(f)).toBe(expected);
  });
});
