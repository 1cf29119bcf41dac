import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gradcheck, hvp, jvp, vjp, type Tensor } from "../../../../src/autograd/index.js";
import {
  composedCausalPivotedAttention,
  refreshments,
  type AttentionOptions,
} from "../../../../src/ideas/residual-pivoted/index.js";
import { runs } from "../../../runs.js";
import { attend, distance, largest, normals, tokens } from "./problem.js";

/** The layer with the pivots that it draws at `at`. */
function heldAt(at: readonly Tensor[], options: AttentionOptions) {
  const { statistics } = attend(at, options);
  const held = statistics.pivots;
  return { statistics, held, layer: (...xs: Tensor[]): Tensor => attend(xs, { ...options, held }).output };
}

/** The first inputs of a row at which nothing is floored or clamped, which differences would see and the gradient does not. */
function withoutEvents(inputs: (seed: string) => readonly Tensor[], options: AttentionOptions) {
  for (let seed = 0; seed < 200; seed++) {
    const at = inputs(`d${seed}`);
    const { layer, statistics } = heldAt(at, options);
    const { normalisers, floored, clamped } = statistics;
    if (normalisers > 0 && floored + clamped === 0) return { at, layer };
  }
  throw new Error("no such inputs");
}

describe("the gradient of the causal form in float64 with the pivots held", () => {
  test.each([
    ["doubling", 0.5, { rank: 5, chunk: 3 }],
    ["every chunk", 0.5, { rank: 5, chunk: 3, refresh: "chunk" as const }],
    ["once, a ridge", 0.5, { rank: 6, chunk: 4, refresh: "once" as const, ridge: 0.02 }],
    ["as many as there are", 1, { rank: 8, chunk: 4, pivots: "uniform" as const }],
  ])("agrees with differences: %s", (_, spread, options) => {
    const { at, layer } = withoutEvents((seed) => tokens(seed, [9, 3], { spread, channels: 2 }), options);
    expect(gradcheck(layer, at, { tolerance: 1e-9 }).passed).toBe(true);
  });

  test("and value agree with the composed attention, floor and clamp included", () => {
    let floored = 0;
    let clamped = 0;
    const cases = fc.record({
      seed: fc.nat().map(String),
      spread: fc.constantFrom(0.5, 1, 1.7),
      rank: fc.integer({ min: 1, max: 4 }),
      chunk: fc.integer({ min: 1, max: 5 }),
      refresh: fc.constantFrom(...refreshments),
      ridge: fc.constantFrom(0, 0, 0.01, 0.3),
      offset: fc.constantFrom(0, 0, 100),
      pivots: fc.constantFrom("exp" as const, "uniform" as const),
      length: fc.integer({ min: 2, max: 14 }),
      leading: fc.constantFrom([], [2], [2, 2]),
    });
    fc.assert(
      fc.property(cases, ({ seed, spread, offset, length, leading, ...options }) => {
        const [q, k, v] = tokens(seed, [...leading, length, 3], { spread, channels: 2 });
        const at = [q, k, v.add(offset)];
        const { layer, held, statistics } = heldAt(at, options);
        fc.pre(!held.includes(-1));
        floored += statistics.floored;
        clamped += statistics.clamped;
        const fused = vjp(layer, ...at);
        const composed = vjp((q, k, v) => composedCausalPivotedAttention(q!, k!, v!, held, options), ...at);
        expect(distance(fused.value, composed.value)).toBeLessThan(1e-8);
        const cotangent = normals(`${seed}g`, [...fused.value.shape]);
        const wanted = composed.pullback(cotangent);
        fused.pullback(cotangent).forEach((g, i) => expect(distance(g, wanted[i]!)).toBeLessThan(1e-8));
      }),
      { numRuns: runs(60) },
    );
    expect(floored).toBeGreaterThan(20);
    expect(clamped).toBeGreaterThan(5);
  });

  test("is the transpose of the directional derivative", () => {
    fc.assert(
      fc.property(
        fc.nat().map(String),
        fc.constantFrom(0.3, 1, 3),
        fc.constantFrom(0, 0.1),
        fc.constantFrom(...refreshments),
        (seed, spread, ridge, refresh) => {
          const at = tokens(seed, [2, 21, 4], { spread });
          const { layer } = heldAt(at, { rank: 5, chunk: 4, ridge, refresh });
          const tangents = at.map((x, i) => normals(`${seed}t${i}`, [...x.shape]));
          const { value, tangent } = jvp(layer, at, tangents);
          const cotangent = normals(`${seed}w`, [...value.shape]);
          const pulled = vjp(layer, ...at).pullback(cotangent);
          const inner = (a: Tensor, b: Tensor): number => a.mul(b).sum().item();
          const left = inner(tangent, cotangent);
          const right = pulled.reduce((sum, gradient, i) => sum + inner(gradient, tangents[i]!), 0);
          const scale = pulled.reduce(
            (sum, gradient, i) => sum + inner(gradient.abs(), tangents[i]!.abs()),
            1,
          );
          expect(Math.abs(left - right) / scale).toBeLessThanOrEqual(1e-12);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test("is 0 in every later token", () => {
    const at = tokens("later", [2, 20, 3], { dtype: "float32" });
    const { layer } = heldAt(at, { rank: 3, chunk: 4 });
    const only = normals("g", [2, 20, 3], 1, "float32").mul(
      normals("n", [20, 1]).mul(0).add(1).cumsum(0).lessEqual(13).cast("float32"),
    );
    for (const gradient of vjp(layer, ...at).pullback(only)) {
      expect(largest(gradient.slice([null, [13]]).values())).toBe(0);
      expect(largest(gradient.slice([null, [0, 13]]).values())).toBeGreaterThan(0);
    }
  });

  test("in float32 is that in float64 up to rounding, scales by powers of two, and has the same bits twice", () => {
    const at = tokens("single", [2, 40, 4], { dtype: "float32", spread: 1.5 });
    const { layer } = heldAt(at, { rank: 6, chunk: 8 });
    const cotangent = normals("g", [2, 40, 3], 1, "float32");
    const run = vjp(layer, ...at);
    const found = run.pullback(cotangent);
    const double = at.map((x) => x.cast("float64"));
    const wanted = vjp(layer, ...double).pullback(cotangent.cast("float64"));
    const scaled = run.pullback(cotangent.mul(2 ** 7));
    const again = run.pullback(cotangent);
    found.forEach((g, i) => {
      expect(distance(g, wanted[i]!)).toBeLessThan(2e-5);
      expect(scaled[i]!.values()).toEqual(g.mul(2 ** 7).values());
      expect(again[i]!.values()).toEqual(g.values());
    });
  });

  test("cannot be differentiated again, and the composed one can", () => {
    const at = tokens("second", [1, 6, 2], { spread: 0.5, channels: 1 });
    const { layer, held } = heldAt(at, { rank: 2, chunk: 2 });
    const loss =
      (f: (...xs: Tensor[]) => Tensor) =>
      (...xs: Tensor[]): Tensor =>
        f(...xs)
          .square()
          .sum();
    expect(() => hvp(loss(layer), at, at)).toThrow(/E_SECOND_ORDER.*composedCausalPivotedAttention/s);
    const composed = loss((q, k, v) => composedCausalPivotedAttention(q!, k!, v!, held, { chunk: 2 }));
    const { product } = hvp(composed, at, at);
    const gradient = (h: number): Tensor[] => {
      const moved = at.map((x) => x.mul(1 + h));
      const run = vjp(loss(layer), ...moved);
      return run.pullback(normals("one", []).mul(0).add(1));
    };
    const [ahead, behind, far, farBehind] = [1e-3, -1e-3, 2e-3, -2e-3].map(gradient);
    product.forEach((wanted, i) => {
      const difference = ahead![i]!.sub(behind![i]!).mul(8).sub(far![i]!.sub(farBehind![i]!)).div(12e-3);
      expect(distance(difference, wanted)).toBeLessThan(1e-7);
    });
  });
});
