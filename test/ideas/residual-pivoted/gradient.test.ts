import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  arange,
  gradcheck,
  gradients,
  hvp,
  jvp,
  matmul,
  tensor,
  vjp,
  where,
  type Tensor,
} from "../../../src/autograd/index.js";
import {
  composedPivotedAttention,
  residualPivotedAttention,
  type AttentionOptions,
} from "../../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../../src/random/index.js";
import { spreads } from "./arbitraries.js";
import { leastPivot } from "./least-pivot.js";
import { runs } from "../../runs.js";

type Shape = readonly number[];

function normals(seed: string, shape: Shape, std = 1): Tensor {
  const size = shape.reduce((product, each) => product * each, 1);
  return tensor(generator(seed).normals(size, 0, std), { shape: [...shape], dtype: "float64" });
}

interface Sizes {
  readonly leading: Shape;
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
  readonly channels: number;
}

function inputs(seed: string, spread: number, { leading, queries, keys, width, channels }: Sizes): Tensor[] {
  return [
    normals(`${seed}q`, [...leading, queries, width], spread),
    normals(`${seed}k`, [...leading, keys, width], spread),
    normals(`${seed}v`, [...leading, keys, channels]),
  ];
}

const small: Sizes = { leading: [2], queries: 5, keys: 6, width: 3, channels: 2 };

/** The layer with the pivots that it draws at `at`. */
function heldAt(at: readonly Tensor[], options: AttentionOptions = {}) {
  const drawn = residualPivotedAttention(at[0]!, at[1]!, at[2]!, { rng: generator("pivots"), ...options });
  const held = drawn.statistics.pivots;
  return {
    statistics: drawn.statistics,
    held,
    layer: (...xs: Tensor[]): Tensor =>
      residualPivotedAttention(xs[0]!, xs[1]!, xs[2]!, { ...options, held }).output,
  };
}

function largest(values: ArrayLike<number>): number {
  return Array.from(values).reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

function expectNear(found: Tensor, wanted: Tensor, tolerance: number): void {
  expect(found.shape).toEqual(wanted.shape);
  const scale = Math.max(1, largest(wanted.values()));
  expect(largest(found.cast("float64").sub(wanted).values()) / scale).toBeLessThanOrEqual(tolerance);
}

describe("the gradient in float64 with the pivots held", () => {
  test.each([
    ["four pivots", 0.5, {}],
    ["one pivot", 0.7, { rank: 1 }],
    ["as many as points", 0.8, { rank: 11 }],
    ["a ridge", 0.4, { ridge: 0.05, pivots: "greedy" as const }],
    ["uniform pivots", 1, { rank: 5, pivots: "uniform" as const }],
  ])("agrees with differences: %s", (_, spread, options) => {
    const at = inputs("a", spread, small);
    expect(gradcheck(heldAt(at, options).layer, at, { tolerance: 1e-9 }).passed).toBe(true);
  });

  test("agrees with differences under masks", () => {
    const at = inputs("b", 0.7, small);
    const bools = (tokens: number, off: readonly number[]): Tensor =>
      tensor(
        Uint8Array.from({ length: 2 * tokens }, (_, i) => (off.includes(i) ? 0 : 1)),
        { shape: [2, tokens], dtype: "bool" },
      );
    const keyMask = bools(6, [1, 2, 7, 11]);
    const queryMask = bools(5, [0, 8]);
    const { layer, held } = heldAt(at, { keyMask, queryMask, rank: 4, pivots: "uniform" });
    expect(held.some((row) => row < 5) && held.some((row) => row >= 5)).toBe(true);
    expect(gradcheck(layer, at, { tolerance: 1e-9 }).passed).toBe(true);
  });

  // Both divide by the block W of the pivots: the nearer these are to each other, the more rounding errors are multiplied. What
  // the values have in common cancels in the gradients of queries and keys, but for the rounding of its products.
  test("and value agree with the composed attention, floor and clamp included", () => {
    let floored = 0;
    let clamped = 0;
    const cases = fc.record({
      seed: fc.nat().map(String),
      spread: spreads.filter((spread) => spread < 3),
      rank: fc.integer({ min: 1, max: 6 }),
      ridge: fc.constantFrom(0, 0, 0.01, 0.3),
      offset: fc.constantFrom(0, 0, 100),
      pivots: fc.constantFrom("exp" as const, "uniform" as const),
      sizes: fc.record({
        leading: fc.constantFrom([], [2], [2, 3]),
        queries: fc.integer({ min: 3, max: 8 }),
        keys: fc.integer({ min: 3, max: 8 }),
        width: fc.integer({ min: 2, max: 5 }),
        channels: fc.integer({ min: 1, max: 3 }),
      }),
    });
    fc.assert(
      fc.property(cases, ({ seed, spread, rank, ridge, offset, pivots, sizes }) => {
        const [q, k, v] = inputs(seed, spread, sizes);
        const at = [q!, k!, v!.add(offset)];
        const { layer, held, statistics } = heldAt(at, { rank, ridge, pivots });
        fc.pre(!held.includes(-1));
        floored += statistics.floored;
        clamped += statistics.clamped;
        const fused = vjp(layer, ...at);
        const composed = vjp((q, k, v) => composedPivotedAttention(q!, k!, v!, held, ridge), ...at);
        const rounding = (64 * 2 ** -53) / leastPivot(q!, k!, held, ridge);
        const tolerance = Math.max(1e-9, rounding);
        expectNear(fused.value, composed.value, tolerance);
        const cotangent = normals(`${seed}cotangent`, [...fused.value.shape]);
        const wanted = composed.pullback(cotangent);
        const [dq, dk, dv] = fused.pullback(cotangent);
        expectNear(dq!, wanted[0]!, Math.max(1e-9, (1 + offset) * rounding));
        expectNear(dk!, wanted[1]!, Math.max(1e-9, (1 + offset) * rounding));
        expectNear(dv!, wanted[2]!, tolerance);
      }),
      {
        numRuns: runs(200),
        examples: [
          [
            {
              seed: "17550121",
              spread: 0.1,
              rank: 4,
              ridge: 0,
              offset: 100,
              pivots: "uniform",
              sizes: { leading: [2, 3], queries: 5, keys: 8, width: 2, channels: 1 },
            },
          ],
        ],
      },
    );
    expect(floored).toBeGreaterThan(200);
    expect(clamped).toBeGreaterThan(20);
  });

  test("is the transpose of the directional derivative", () => {
    fc.assert(
      fc.property(fc.nat().map(String), spreads, fc.constantFrom(0, 0.1), (seed, spread, ridge) => {
        const at = inputs(seed, spread, { leading: [3], queries: 12, keys: 10, width: 8, channels: 8 });
        const { layer } = heldAt(at, { ridge });
        const tangents = at.map((x, i) => normals(`${seed}t${i}`, [...x.shape]));
        const { value, tangent } = jvp(layer, at, tangents);
        const cotangent = normals(`${seed}w`, [...value.shape]);
        const pulled = vjp(layer, ...at).pullback(cotangent);
        const inner = (a: Tensor, b: Tensor): number => a.mul(b).sum().item();
        const left = inner(tangent, cotangent);
        const right = pulled.reduce((sum, gradient, i) => sum + inner(gradient, tangents[i]!), 0);
        const scale = pulled.reduce((sum, gradient, i) => sum + inner(gradient.abs(), tangents[i]!.abs()), 1);
        expect(Math.abs(left - right) / scale).toBeLessThanOrEqual(1e-12);
      }),
      // Keys whose weights differ by e⁵⁰: products of factors lose the digits of the entry that counts.
      { examples: [["2007174146", 6, 0]] },
    );
  });

  test("a query that is a pivot gets exact attention, and passes its cotangent on through it", () => {
    fc.assert(
      fc.property(fc.nat().map(String), fc.constantFrom(0.3, 3, 6), (seed, spread) => {
        const at = inputs(seed, spread, { leading: [], queries: 9, keys: 9, width: 8, channels: 3 });
        const { layer, held } = heldAt(at, { rank: 6, pivots: "uniform" });
        const [q, k, v] = at as [Tensor, Tensor, Tensor];
        const weights = matmul(q, k.transpose())
          .mul(1 / Math.sqrt(8))
          .softmax(-1);
        const wanted = matmul(weights, v);
        const found = layer(...at);
        for (const row of held) {
          if (row >= 0 && row < 9) expectNear(found.slice([row]), wanted.slice([row]), 1e-13);
        }
        const query = held.find((row) => row >= 0 && row < 9);
        if (query === undefined) return;
        const cotangent = where(arange(0, 9).equal(query).unsqueeze(1), 1, 0).mul(normals(seed, [9, 3]));
        const [, , dv] = vjp(layer, ...at).pullback(cotangent);
        expectNear(dv!, matmul(weights.transpose(), cotangent), 1e-13);
      }),
    );
  });

  test("the directional derivative agrees with differences", () => {
    const at = inputs("d", 0.6, small);
    const tangents = at.map((x, i) => normals(`t${i}`, [...x.shape]));
    const { layer } = heldAt(at);
    const moved = (h: number): Tensor => layer(...at.map((x, i) => x.add(tangents[i]!.mul(h))));
    const h = 1e-3;
    const differences = moved(h)
      .sub(moved(-h))
      .mul(8)
      .sub(moved(2 * h).sub(moved(-2 * h)))
      .div(12 * h);
    expectNear(jvp(layer, at, tangents).tangent, differences, 1e-9);
  });
});

describe("the pullback", () => {
  const at = inputs("p", 0.9, small).map((x) => x.cast("float32"));
  const { layer } = heldAt(at);
  const run = vjp(layer, ...at);
  const cotangent = normals("g", [2, 5, 2]).cast("float32");

  test("scales exactly by powers of two", () => {
    const twice = run.pullback(cotangent.mul(2 ** 7));
    run.pullback(cotangent).forEach((g, i) => expect(twice[i]!.values()).toEqual(g.mul(2 ** 7).values()));
  });

  test("of zero is zero", () => {
    for (const g of run.pullback(cotangent.mul(0))) expect(largest(g.values())).toBe(0);
  });

  test("gives the same bits twice", () => {
    const again = run.pullback(cotangent);
    run.pullback(cotangent).forEach((g, i) => expect(again[i]!.values()).toEqual(g.values()));
  });

  test("in float32 is that in float64 up to rounding", () => {
    const double = at.map((x) => x.cast("float64"));
    const wanted = vjp(layer, ...double).pullback(cotangent.cast("float64"));
    run.pullback(cotangent).forEach((g, i) => expectNear(g, wanted[i]!, 2e-5));
  });

  test("gives only what is asked for", () => {
    const [q, k, v] = at.map((x) => tensor(x.values(), { shape: [...x.shape], requiresGrad: true }));
    const [dv] = gradients(layer(q!.detach(), k!.detach(), v!), [v!], { cotangents: [cotangent] });
    expect(dv!.values()).toEqual(run.pullback(cotangent)[2]!.values());
  });
});

describe("second derivatives", () => {
  const at = inputs("s", 0.5, small);
  const { layer, held } = heldAt(at);

  test("in q, k and v are refused", () => {
    const loss = (...xs: Tensor[]): Tensor =>
      layer(...xs)
        .square()
        .sum();
    expect(() => hvp(loss, at, at)).toThrow(/E_SECOND_ORDER.*composedPivotedAttention/s);
  });

  test("of the composed attention agree with differences of the fused gradient", () => {
    const cotangent = normals("g", [2, 5, 2]);
    const vs = at.map((x, i) => normals(`v${i}`, [...x.shape]));
    const composed = (...xs: Tensor[]): Tensor =>
      composedPivotedAttention(xs[0]!, xs[1]!, xs[2]!, held).mul(cotangent).sum();
    const { product } = hvp(composed, at, vs);
    const gradient = (h: number): Tensor[] =>
      vjp(layer, ...at.map((x, i) => x.add(vs[i]!.mul(h)))).pullback(cotangent);
    const h = 1e-3;
    const [near, far] = [h, 2 * h].map((step) => {
      const behind = gradient(-step);
      return gradient(step).map((ahead, i) => ahead.sub(behind[i]!));
    });
    product.forEach((wanted, i) => {
      const eightNear = near![i]!.mul(8);
      const difference = eightNear.sub(far![i]!).div(12 * h);
      expectNear(difference, wanted, 1e-7);
    });
  });
});
