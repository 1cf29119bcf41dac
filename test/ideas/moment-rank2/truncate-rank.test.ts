import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gradcheck,
  gradients,
  hvp,
  jvp,
  stack,
  tensor,
  vjp,
  zeros,
  type Tensor,
} from "../../../src/autograd/index.js";
import { truncateRank, TruncationCounter } from "../../../src/ideas/moment-rank2/index.js";
import { distance, greatest, inner, normal, seeds, withSpectrum } from "./random-matrices.js";
import { runs } from "../../runs.js";

const square = { rows: 8, columns: 8 };
const apart = [3, 2.4, 1.1, 0.9, 0.7, 0.3, 0.2, 0.1];

function matrix(
  values: ArrayLike<number>,
  dtype: "float32" | "float64" = "float64",
  requiresGrad = false,
): Tensor {
  return tensor(Float64Array.from(values), { shape: [8, 8], dtype, requiresGrad });
}

function pulled(h: Tensor, g: Tensor, options: Parameters<typeof truncateRank>[1]): Tensor {
  return vjp((x: Tensor) => truncateRank(x, options), h).pullback(g)[0]!;
}

describe("truncateRank", () => {
  it("passes gradcheck unclipped on inputs with a gap, square and rectangular, in a stack", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const h = stack([
          matrix(withSpectrum(seed, square, apart)),
          matrix(withSpectrum(seed + 1, square, apart)),
        ]);
        const f = (x: Tensor) => truncateRank(x, { rank: 2, bound: Infinity });
        expect(gradcheck(f, [h], { tolerance: 1e-9 }).passed).toBe(true);
      }),
      { numRuns: runs(5) },
    );
    const wide = tensor(withSpectrum(3, { rows: 4, columns: 7 }, [3, 2, 0.8, 0.4]), { shape: [4, 7] });
    expect(gradcheck((x) => truncateRank(x, { rank: 2 }), [wide], { tolerance: 1e-9 }).passed).toBe(true);
  });

  it("pushes and pulls the same map: ⟨Jv, w⟩ = ⟨v, Jᵀw⟩", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [h, v, w] = ["h", "v", "w"].map((name) => normal(seed, name, [2, 8, 8]));
        const f = (x: Tensor) => truncateRank(x, { rank: 2, bound: 8 });
        const { tangent } = jvp(f, [h!], [v!]);
        const pull = vjp(f, h!).pullback(w!)[0]!;
        expect(Math.abs(inner(tangent, w!) - inner(v!, pull))).toBeLessThan(1e-12 * greatest(pull) * 128);
      }),
    );
  });

  it("gives in float32 the gradient of float64 to rounding", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const h = matrix(withSpectrum(seed, square, apart), "float32");
        const g = normal(seed, "g", [8, 8]).cast("float32");
        const exact = pulled(h.cast("float64"), g.cast("float64"), { rank: 2 });
        expect(distance(pulled(h, g, { rank: 2 }), exact)).toBeLessThan(4e-6 * greatest(exact));
      }),
    );
  });

  it("keeps the laws of a cotangent: zero to zero, exact powers of two, a batch as its matrices, twice the same", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [h, g] = ["h", "g"].map((name) => normal(seed, name, [3, 8, 8]).cast("float32"));
        const options = { rank: 2, bound: 8 };
        const whole = pulled(h!, g!, options);
        expect(greatest(pulled(h!, zeros([3, 8, 8]), options))).toBe(0);
        expect(pulled(h!, g!.mul(4), options).values()).toEqual(whole.mul(4).values());
        const single = stack([0, 1, 2].map((b) => pulled(h!.slice([b]), g!.slice([b]), options)));
        expect(single.values()).toEqual(whole.values());
        expect(pulled(h!, g!, options).values()).toEqual(whole.values());
      }),
    );
  });

  it("is differentiable in the cotangent, and refuses its derivative in H", () => {
    const h = normal(4, "h", [8, 8]);
    const [g, w] = ["g", "w"].map((name) => normal(4, name, [8, 8]));
    const gradient = (cotangent: Tensor): Tensor => {
      const x = tensor(h.values(), { shape: [8, 8], requiresGrad: true });
      return gradients(truncateRank(x, { rank: 2 }), [x], { cotangents: [cotangent], createGraph: true })[0]!;
    };
    const { value, pullback } = vjp(gradient, g!);
    expect(distance(pullback(w!)[0]!, gradient(w!))).toBeLessThan(1e-13);
    expect(greatest(value)).toBeGreaterThan(0);
    const quadratic = (x: Tensor) => truncateRank(x, { rank: 2 }).square().sum();
    expect(() => hvp(quadratic, [h], [w!])).toThrow(/E_SECOND_ORDER.*straight-through/);
    const linear = (x: Tensor) => truncateRank(x, { rank: 2, gradient: "straight-through" }).square().sum();
    expect(distance(hvp(linear, [h], [w!]).product[0]!, w!.mul(2))).toBeLessThan(1e-14);
  });

  it("offers the tangent projection and the identity in place of the gradient", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const [h, g] = ["h", "g"].map((name) => normal(seed, name, [8, 8]));
        expect(pulled(h!, g!, { rank: 2, gradient: "straight-through" }).values()).toEqual(g!.values());
        const tangent = pulled(h!, g!, { rank: 2, gradient: "tangent" });
        expect(distance(pulled(h!, tangent, { rank: 2, gradient: "tangent" }), tangent)).toBeLessThan(1e-13);
        expect(inner(tangent, tangent)).toBeLessThanOrEqual(inner(g!, g!));
        const t = truncateRank(h!, { rank: 2 });
        expect(distance(pulled(h!, t, { rank: 2, gradient: "tangent" }), t)).toBeLessThan(1e-13);
      }),
    );
  });

  it("is finite at zero, at rank 1, and at ties, in both types", () => {
    const cases = [[], [2], [2, 2], [2, 2, 2], [2, 1, 1]];
    for (const dtype of ["float32", "float64"] as const) {
      const g = normal(9, "g", [8, 8]).cast(dtype);
      for (const spectrum of cases) {
        const h = matrix(withSpectrum(7, square, spectrum), dtype);
        expect(Number.isFinite(greatest(pulled(h, g, { rank: 2 })))).toBe(true);
      }
      expect(greatest(truncateRank(zeros([8, 8], { dtype }), { rank: 2 }))).toBe(0);
      expect(greatest(pulled(zeros([8, 8], { dtype }), g, { rank: 2 }))).toBeLessThanOrEqual(4 * greatest(g));
    }
  });

  it("passes on what is not finite as NaN", () => {
    const h = matrix(new Float64Array(64).fill(1).fill(NaN, 3, 4));
    expect(truncateRank(h, { rank: 2 }).values().every(Number.isNaN)).toBe(true);
  });

  it("counts what it clips when a gradient is taken, and only then", () => {
    const counter = new TruncationCounter();
    const h = stack([
      matrix(withSpectrum(1, square, [3, 2, 1.9, 1.85, 0.1])),
      matrix(withSpectrum(2, square, [3, 2, 1, 0.5])),
      matrix(withSpectrum(3, square, [3, 2])),
      matrix(new Float64Array(64)),
    ]);
    const f = (x: Tensor) => truncateRank(x, { rank: 2, bound: 8, counter });
    const { pullback } = vjp(f, h);
    expect(counter.matrices).toBe(0);
    expect(counter.rate).toBe(0);
    pullback(h);
    expect({ ...counter }).toEqual({ matrices: 4, clippedMatrices: 1, pairs: 48, clippedPairs: 2 });
    expect(counter.rate).toBe(1 / 4);
    pulled(h, h, { rank: 2, gradient: "tangent", counter });
    expect(counter.matrices).toBe(4);
    counter.reset();
    expect({ ...counter }).toEqual({ matrices: 0, clippedMatrices: 0, pairs: 0, clippedPairs: 0 });
  });

  it("refuses bad shapes, types and options", () => {
    expect(() => truncateRank(zeros([8]), { rank: 1 })).toThrow(/E_SHAPE.*\[\.\.\., rows, columns\]/);
    expect(() => truncateRank(zeros([8, 8], { dtype: "int32" }), { rank: 2 })).toThrow(/E_DTYPE.*int32/);
    for (const rank of [0, 9, 1.5, NaN]) {
      expect(() => truncateRank(zeros([8, 8]), { rank })).toThrow(/E_VALUE.*from 1 to 8/);
    }
    for (const bound of [0.5, NaN, -1]) {
      expect(() => truncateRank(zeros([8, 8]), { rank: 2, bound })).toThrow(/E_VALUE.*at least 1/);
    }
    expect(() => truncateRank(zeros([8, 8]), { rank: 2, gradient: "exakt" as "exact" })).toThrow(
      /E_VALUE.*tangent/,
    );
    expect(truncateRank(zeros([0, 8, 8]), { rank: 2 }).shape).toEqual([0, 8, 8]);
  });
});
