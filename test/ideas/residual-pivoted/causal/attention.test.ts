import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arange, where, type Tensor } from "../../../../src/autograd/index.js";
import { refreshments, residualPivotedAttention } from "../../../../src/ideas/residual-pivoted/index.js";
import { runs } from "../../../runs.js";
import { attend, distance, exact, normals, tokens } from "./problem.js";

const bits = (values: ArrayLike<number>): number[] => [...new Uint32Array(Float64Array.from(values).buffer)];

/** x `[heads, tokens, …]` with every number of one token replaced. */
function replaceToken(x: Tensor, token: number, value: number): Tensor {
  const here = arange(0, x.shape[1]!).equal(token).unsqueeze(1);
  return where(here, value, x);
}

describe("causal attention through pivots", () => {
  test.each(["float32", "float64"] as const)("in one chunk is exact causal attention (%s)", (dtype) => {
    const at = tokens("one", [2, 9, 4], { dtype });
    const { output, statistics } = attend(at, { chunk: 9 });
    expect(distance(output, exact(at))).toBeLessThan(dtype === "float32" ? 1e-6 : 1e-14);
    expect(statistics.pivots).toHaveLength(0);
    expect(statistics.normalisers).toBe(0);
  });

  test.each([
    ["float64", 0.5, 1e-8],
    ["float64", 2, 1e-10],
    ["float32", 2, 1e-3],
  ] as const)("with all earlier rows as pivots is exact (%s, spread %s)", (dtype, spread, tolerance) => {
    const at = tokens("all", [2, 21, 3], { dtype, spread });
    const { output } = attend(at, { chunk: 4, rank: 40, refresh: "chunk" });
    expect(distance(output, exact(at))).toBeLessThan(tolerance);
  });

  test("comes nearer to it with the rank, and stays an average of the values seen", () => {
    const at = tokens("near", [3, 64, 4], { spread: 0.8 });
    const wanted = exact(at);
    const errors = [1, 4, 16, 64].map((rank) => {
      const { output } = attend(at, { chunk: 8, rank });
      const [first] = output.slice([null, 0]).values();
      expect(first).toBe(at[2].slice([null, 0]).values()[0]);
      return distance(output, wanted);
    });
    expect(errors[3]!).toBeLessThan(errors[0]! / 20);
    expect(errors[2]!).toBeLessThan(errors[0]!);
  });

  test("changes no bit before a token that changes, to NaN too, with the pivots chosen again", () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat().map(String),
          length: fc.integer({ min: 2, max: 40 }),
          chunk: fc.integer({ min: 1, max: 9 }),
          rank: fc.integer({ min: 1, max: 6 }),
          refresh: fc.constantFrom(...refreshments),
          pivots: fc.constantFrom("exp" as const, "greedy" as const, "uniform" as const),
          ridge: fc.constantFrom(0, 0.1),
          dtype: fc.constantFrom("float32" as const, "float64" as const),
          share: fc.double({ min: 0, max: 0.999, noNaN: true }),
          value: fc.constantFrom(NaN, Infinity, -1e30, 40, 0),
          which: fc.constantFrom([0], [1], [2], [0, 1, 2]),
        }),
        ({ seed, length, share, value, which, dtype, ...options }) => {
          const at = tokens(seed, [2, length, 3], { dtype });
          const j = Math.floor(share * length);
          const changed = at.map((x, part) => {
            if (!which.some((each) => each === part)) return x;
            return replaceToken(x, j, value);
          });
          const [before, after] = [at, changed].map((each) =>
            bits(
              attend(each, options)
                .output.slice([null, [0, j]])
                .values(),
            ),
          );
          expect(after).toEqual(before);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test("a query or key that is not finite makes its own row NaN, and all rows of later chunks", () => {
    const [q, k, v] = tokens("nan", [1, 12, 3]);
    const broken = replaceToken(k, 5, NaN);
    const { output } = attend([q, broken, v], { chunk: 4 });
    const rows = Array.from(output.sum(-1).values(), Number.isNaN);
    expect(rows).toEqual(rows.map((_, at) => at >= 5));
  });

  test("keys that grow by e^{400} from chunk to chunk neither overflow nor divide by zero", () => {
    const [q, k, v] = tokens("grow", [1, 24, 2], { dtype: "float32" });
    const growing = k.mul(normals("one", [24, 1]).mul(0).add(1).cumsum(0).mul(1.5).cast("float32"));
    for (const at of [
      [q, growing, v],
      [q, growing.neg(), v],
      [q.mul(30), growing, v],
    ]) {
      const { output } = attend(at, { chunk: 3, refresh: "once" });
      expect(output.values().every(Number.isFinite)).toBe(true);
    }
  });

  test("identical tokens use one pivot and give the mean of the values so far", () => {
    const same = normals("same", [1, 1, 3]).expand([1, 14, 3]);
    const v = normals("v", [1, 14, 2]);
    const { output, statistics } = attend([same, same, v], { chunk: 4, rank: 5 });
    expect([...statistics.ranks].every((rank) => rank <= 2)).toBe(true);
    const count = normals("n", [14, 1]).mul(0).add(1).cumsum(0);
    expect(distance(output, v.cumsum(1).div(count))).toBeLessThan(1e-12);
  });

  test("pivots that are held give the same bits, and problems by themselves the same as together", () => {
    const at = tokens("held", [3, 30, 4], { dtype: "float32" });
    const drawn = attend(at, { chunk: 4, rank: 3 });
    const { pivots } = drawn.statistics;
    expect(attend(at, { chunk: 4, rank: 3, held: pivots }).output.values()).toEqual(drawn.output.values());
    const alone = at.map((x) => x.slice([1]));
    const held = Int32Array.from(
      { length: pivots.length / 3 },
      (_, i) => pivots[Math.floor(i / 3) * 9 + 3 + (i % 3)]!,
    );
    expect(attend(alone, { chunk: 4, rank: 3, held }).output.values()).toEqual(
      drawn.output.slice([1]).values(),
    );
  });

  test("refuses what it cannot do", () => {
    const [q, k, v] = tokens("no", [2, 8, 3]);
    const mask = q.sum(-1).less(Infinity);
    expect(() => attend([q, k, v], { keyMask: mask })).toThrow(/E_VALUE.*no masks/s);
    expect(() => attend([q.slice([null, [0, 5]]), k, v])).toThrow(/E_SHAPE.*as many keys as queries/s);
    expect(() => attend([q, k, v], { chunk: 0 })).toThrow(/E_VALUE.*chunk/s);
    expect(() => attend([q, k, v], { chunk: 4, rank: 1, held: Int32Array.of(8, 0) })).toThrow(
      /E_VALUE.*held/s,
    );
    expect(() => residualPivotedAttention(q, k, v, { causal: true, chunk: 4 })).toThrow(
      /E_VALUE.*generator/s,
    );
    expect(() => attend([q, k, v], { refresh: "never" as "once" })).toThrow(/E_VALUE.*refresh/s);
  });
});
