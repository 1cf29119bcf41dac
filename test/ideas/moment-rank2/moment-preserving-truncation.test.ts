import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tensor, vjp, zeros, type Tensor } from "../../../src/autograd/index.js";
import {
  forms,
  MomentPreservingTruncation,
  randomMoments,
  truncateRank,
  type Form,
  type MomentPreservingOptions,
} from "../../../src/ideas/moment-rank2/index.js";
import {
  largestRank,
  momentDrift,
  squaredNorms,
} from "../../../src/ideas/moment-rank2/evidence/state-figures.js";
import { Sequential } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { distance, greatest, normal, seeds } from "./random-matrices.js";

const grid = { rows: 8, columns: 8 };

function layerOf(options: Partial<MomentPreservingOptions> = {}): MomentPreservingTruncation {
  return new MomentPreservingTruncation({ grid, ...options });
}

const someForm = fc.constantFrom<Form>(...forms);
const shapes = fc.constantFrom(
  { rows: 8, columns: 8, rank: 2 },
  { rows: 8, columns: 8, rank: 1 },
  { rows: 5, columns: 9, rank: 2 },
  { rows: 7, columns: 4, rank: 3 },
  { rows: 2, columns: 6, rank: 1 },
  { rows: 2, columns: 2, rank: 1 },
);

describe("MomentPreservingTruncation", () => {
  it("keeps the moments of every matrix: P C(H) = P H, both forms, any grid and rank", () => {
    fc.assert(
      fc.property(seeds, someForm, shapes, (seed, form, { rank, ...sides }) => {
        const layer = new MomentPreservingTruncation({ grid: sides, rank, form });
        const h = normal(seed, "h", [4, sides.rows, sides.columns]);
        expect(momentDrift(layer.projector, layer.forward(h), h)).toBeLessThan(1e-14);
        const single = h.div(4).cast("float32");
        expect(momentDrift(layer.projector, layer.forward(single), single)).toBeLessThan(5e-7);
      }),
    );
  });

  it("is P(H) + (I−P) T((I−P) H) in form B and T(H) + P(H − T(H)) in form A", () => {
    fc.assert(
      fc.property(seeds, shapes, (seed, { rank, ...sides }) => {
        const h = normal(seed, "h", [2, sides.rows, sides.columns]);
        const b = new MomentPreservingTruncation({ grid: sides, rank, form: "B" });
        const { projector } = b;
        const t = (x: Tensor) => truncateRank(x, { rank });
        const inside = projector.project(h).add(projector.remove(t(projector.remove(h))));
        expect(distance(b.forward(h), inside)).toBeLessThan(1e-13);
        const a = new MomentPreservingTruncation({ grid: sides, rank, form: "A" });
        const after = t(h).add(projector.project(h.sub(t(h))));
        expect(distance(a.forward(h), after)).toBeLessThan(1e-13);
      }),
    );
  });

  it("is one operation, with the bits of its steps one by one, however the matrices stand", () => {
    const types = fc.constantFrom("float32" as const, "float64" as const);
    fc.assert(
      fc.property(seeds, someForm, shapes, types, (seed, form, { rank, ...sides }, dtype) => {
        const layer = new MomentPreservingTruncation({ grid: sides, rank, form });
        const h = normal(seed, "h", [2, 3, sides.rows, sides.columns]).cast(dtype);
        const c = layer.forward(h);
        expect(c.values()).toEqual(layer.composed(h).values());
        const flat = h.reshape([2, 3, sides.rows * sides.columns]);
        const flatly = layer.forwardFlat(flat);
        expect(flatly.shape).toEqual(flat.shape);
        expect(flatly.values()).toEqual(c.values());
      }),
    );
  });

  it("with a weight keeps Σ H, Σ v1 H, Σ v2 H and Σ (v1² + v2²) H", () => {
    const v = Array.from({ length: 8 }, (_, i) => 2 * i - 7);
    const maxwellian = v.map((x) => Math.exp(-(x * x) / 20));
    const weight = { rows: maxwellian, columns: maxwellian };
    const v1 = tensor(v, { shape: [8, 1], dtype: "float64" });
    const v2 = tensor(v, { shape: [8], dtype: "float64" });
    fc.assert(
      fc.property(seeds, someForm, (seed, form) => {
        const layer = layerOf({ form, grid: { ...grid, weight } });
        const h = normal(seed, "h", [8, 8]);
        const c = layer.forward(h);
        expect(distance(c, h)).toBeGreaterThan(0.1);
        for (const f of [1, v1, v2, v1.square().add(v2.square())]) {
          expect(Math.abs(c.sub(h).mul(f).sum().item())).toBeLessThan(1e-11);
        }
        expect(largestRank(c)).toBeLessThanOrEqual(4);
        const scale = tensor(
          maxwellian.map((x) => maxwellian.map((y) => 1 / Math.sqrt(x * y))),
          { dtype: "float64" },
        );
        const t = (x: Tensor): Tensor => truncateRank(x.mul(scale), { rank: 2 }).div(scale);
        const { projector } = layer;
        const formula =
          form === "B"
            ? projector.project(h).add(projector.remove(t(projector.remove(h))))
            : t(h).add(projector.project(h.sub(t(h))));
        expect(distance(c, formula)).toBeLessThan(1e-11);
        expect(distance(c, layerOf({ form }).forward(h))).toBeGreaterThan(0.1);
        expect(layer.forwardFlat(h.reshape([64])).values()).toEqual(c.values());
      }),
    );
  });

  it("form A is never worse than plain truncation, by exactly what it gives back", () => {
    fc.assert(
      fc.property(seeds, shapes, (seed, { rank, ...sides }) => {
        const layer = new MomentPreservingTruncation({ grid: sides, rank, form: "A" });
        const h = normal(seed, "h", [4, sides.rows, sides.columns]);
        const cut = h.sub(truncateRank(h, { rank }));
        const error = squaredNorms(h.sub(layer.forward(h)));
        const plain = squaredNorms(cut);
        const returned = squaredNorms(layer.projector.project(cut));
        error.forEach((e, b) => {
          expect(Math.abs(e - (plain[b]! - returned[b]!))).toBeLessThan(1e-12 * (1 + plain[b]!));
          expect(e).toBeLessThanOrEqual(plain[b]! + 1e-14);
        });
      }),
    );
  });

  it("has rank r + 2 at most, and nearly always reaches it", () => {
    const ranks = { reached: 0, missed: 0 };
    fc.assert(
      fc.property(seeds, someForm, fc.integer({ min: 1, max: 5 }), (seed, form, rank) => {
        const c = layerOf({ form, rank }).forward(normal(seed, "h", [8, 8]));
        const found = largestRank(c);
        expect(found).toBeLessThanOrEqual(rank + 2);
        ranks[found === rank + 2 ? "reached" : "missed"]++;
      }),
    );
    // A random matrix comes within 1e-5 of a smaller rank about once in 3000 times.
    expect(ranks.missed).toBeLessThanOrEqual(0.02 * ranks.reached);
  });

  it("form B returns what lies in the moments plus rank 2 of the complement", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const layer = layerOf({ form: "B" });
        // A matrix of rank 2 whose factors are orthogonal to the constant vector has no moments.
        const left = normal(seed, "left", [8, 2]);
        const right = normal(seed, "right", [2, 8]);
        const inside = left.sub(left.mean(0)).matmul(right.sub(right.mean(1, { keepDims: true })));
        expect(greatest(layer.projector.moments(inside))).toBeLessThan(1e-13);
        const h = inside.add(layer.projector.project(normal(seed, "moments", [8, 8])));
        expect(distance(layer.forward(h), h)).toBeLessThan(1e-12);
        expect(distance(truncateRank(h, { rank: 2 }), h)).toBeGreaterThan(0.01);
      }),
    );
  });

  it("form A returns what differs from its truncation by moments", () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 0, max: 3 }), (seed, moment) => {
        const layer = layerOf({ form: "A" });
        const { elements } = layer.projector.basis;
        const e = tensor(elements.slice(moment * 64, moment * 64 + 64), { shape: [8, 8] });
        // Rows and columns of the factors are freed of 1, v and v², so that T_2 sees them apart from e.
        const powers = tensor(
          Array.from({ length: 24 }, (_, i) => (2 * (i % 8) - 7) ** Math.floor(i / 8)),
          {
            shape: [3, 8],
            dtype: "float64",
          },
        );
        const gram = powers.matmul(powers.transpose()).cholesky();
        const free = (x: Tensor): Tensor => {
          const whitened = gram.solveTriangular(powers);
          return x.sub(x.matmul(whitened.transpose()).matmul(whitened));
        };
        const large = free(normal(seed, "left", [2, 8]))
          .transpose()
          .matmul(free(normal(seed, "right", [2, 8])));
        const h = large.add(e.mul(1e-3));
        expect(distance(layer.forward(h), h)).toBeLessThan(1e-12);
        expect(distance(truncateRank(h, { rank: 2 }), large)).toBeLessThan(1e-12);
      }),
    );
  });

  it("takes zero to zero, and finite gradients through it", () => {
    for (const form of forms) {
      for (const dtype of ["float32", "float64"] as const) {
        const zero = zeros([2, 8, 8], { dtype });
        const g = normal(1, "g", [2, 8, 8]).cast(dtype);
        const { value, pullback } = vjp((h: Tensor) => layerOf({ form }).forward(h), zero);
        expect(value.values().every((x) => x === 0)).toBe(true);
        expect(Number.isFinite(greatest(pullback(g)[0]!))).toBe(true);
      }
    }
  });

  it("commutes with scaling, transposition and reflection of the grid; form B with adding moments", () => {
    fc.assert(
      fc.property(seeds, someForm, (seed, form) => {
        const layer = layerOf({ form });
        const h = normal(seed, "h", [8, 8]);
        const c = layer.forward(h);
        expect(layer.forward(h.cast("float32").mul(-4)).values()).toEqual(
          layer.forward(h.cast("float32")).mul(-4).values(),
        );
        expect(distance(layer.forward(h.transpose()), c.transpose())).toBeLessThan(1e-11);
        expect(distance(layer.forward(h.flip([0])), c.flip([0]))).toBeLessThan(1e-11);
        if (form === "B") {
          const moments = layer.projector.project(normal(seed, "moments", [8, 8]));
          expect(distance(layer.forward(h.add(moments)), c.add(moments))).toBeLessThan(1e-11);
        }
      }),
    );
  });

  it("keeps other linear functionals as well, such as random ones for a control", () => {
    fc.assert(
      fc.property(seeds, someForm, (seed, form) => {
        const basis = randomMoments(generator(seed), { ...grid });
        const layer = layerOf({ form, grid: basis });
        const h = normal(seed, "h", [8, 8]);
        expect(momentDrift(layer.projector, layer.forward(h), h)).toBeLessThan(1e-14);
        expect(momentDrift(layerOf().projector, layer.forward(h), h)).toBeGreaterThan(0.01);
      }),
    );
  });

  it("is a layer without parameters", () => {
    const layer = layerOf();
    const h = normal(1, "h", [2, 8, 8]);
    expect(layer.parameters()).toEqual([]);
    expect(new Sequential([layer]).forward(h).values()).toEqual(layer.forward(h).values());
  });

  it("refuses settings outside their range", () => {
    const refused = (options: object) => () => layerOf(options as Partial<MomentPreservingOptions>);
    expect(refused({ rank: 9 })).toThrow(/E_VALUE.*from 1 to 8/);
    expect(refused({ rank: 0 })).toThrow(/E_VALUE.*at least 1/);
    expect(refused({ form: "C" })).toThrow(/E_VALUE.*form must be one of A, B/);
    expect(refused({ gradient: "none" })).toThrow(/E_VALUE.*straight-through/);
    expect(refused({ bound: 0 })).toThrow(/E_VALUE.*bound/);
    expect(() => layerOf().forward(zeros([2, 64]))).toThrow(/E_SHAPE.*8×8/);
    expect(() => layerOf().forwardFlat(zeros([64, 2]))).toThrow(/E_SHAPE|E_VALUE/);
    expect(() => layerOf().forward(zeros([8, 8], { dtype: "int32" }))).toThrow(/E_DTYPE.*int32/);
  });
});
