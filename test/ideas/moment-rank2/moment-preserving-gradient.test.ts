import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradcheck, jvp, tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import {
  forms,
  MomentPreservingTruncation,
  truncateRank,
  TruncationCounter,
  type Form,
  type MomentPreservingOptions,
  type TruncationOptions,
} from "../../../src/ideas/moment-rank2/index.js";
import { distance, greatest, inner, normal, seeds, withSpectrum } from "./random-matrices.js";

const grid = { rows: 8, columns: 8 };
const someForm = fc.constantFrom<Form>(...forms);

function layerOf(options: Partial<MomentPreservingOptions> = {}): MomentPreservingTruncation {
  return new MomentPreservingTruncation({ grid, ...options });
}

/** Seven orthonormal rows at right angles to the constant vector, `[7, 8]`: cosines. */
const differences = tensor(
  Array.from({ length: 56 }, (_, at) => Math.cos((Math.PI * (2 * (at % 8) + 1) * (1 + (at >> 3))) / 16) / 2),
  { shape: [7, 8], dtype: "float64" },
);

describe("the gradient of MomentPreservingTruncation", () => {
  it("is P G + (I−P) DT[(I−P) G] in form B and P G + DT[(I−P) G] in form A, DT as the settings say", () => {
    const derivatives = fc.constantFrom<Partial<TruncationOptions>>(
      {},
      { bound: 1.5 },
      { bound: Infinity },
      { gradient: "tangent" },
      { gradient: "straight-through" },
    );
    fc.assert(
      fc.property(seeds, someForm, derivatives, (seed, form, derivative) => {
        const layer = layerOf({ form, ...derivative });
        const { projector } = layer;
        const [h, g] = ["h", "g"].map((name) => normal(seed, name, [8, 8]));
        const pulled = vjp((x: Tensor) => layer.forward(x), h!).pullback(g!)[0]!;
        const cut = form === "B" ? projector.remove(h!) : h!;
        const through = vjp((x: Tensor) => truncateRank(x, { rank: 2, ...derivative }), cut);
        const rest = through.pullback(projector.remove(g!))[0]!;
        const formula = projector.project(g!).add(form === "B" ? projector.remove(rest) : rest);
        expect(distance(pulled, formula)).toBeLessThan(1e-12 * Math.max(1, greatest(formula)));
      }),
    );
  });

  it("is that of the steps one by one, to rounding, in both types", () => {
    fc.assert(
      fc.property(
        seeds,
        someForm,
        fc.constantFrom("float32" as const, "float64" as const),
        (seed, form, dtype) => {
          const layer = layerOf({ form });
          const [h, g] = ["h", "g"].map((name) => normal(seed, name, [5, 8, 8]).cast(dtype));
          const fused = vjp((x: Tensor) => layer.forward(x), h!).pullback(g!)[0]!;
          const composed = vjp((x: Tensor) => layer.composed(x), h!).pullback(g!)[0]!;
          const roundoff = dtype === "float32" ? 2 ** -24 : 2 ** -53;
          expect(distance(fused, composed)).toBeLessThan(256 * roundoff * greatest(composed));
        },
      ),
    );
  });

  it("counts the clipped gradients of what it truncates, when a gradient is taken", () => {
    // A moment matrix of a singular value near the second of the rest: a close pair in form A, and none in form B.
    const rest = withSpectrum(3, { rows: 7, columns: 7 }, [3, 2, 0.5]);
    const inside = differences
      .transpose()
      .matmul(tensor(rest, { shape: [7, 7] }))
      .matmul(differences);
    const h = inside.add(1.9 / 8).reshape([1, 8, 8]);
    for (const [form, clipped] of [
      ["A", 1],
      ["B", 0],
    ] as const) {
      const counter = new TruncationCounter();
      const layer = layerOf({ form, counter });
      const { pullback } = vjp((x: Tensor) => layer.forward(x), h);
      expect(counter.matrices).toBe(0);
      pullback(h);
      expect({ ...counter }).toEqual({
        matrices: 1,
        clippedMatrices: clipped,
        pairs: 12,
        clippedPairs: clipped,
      });
    }
  });

  it("pushes P V + (I−P) DT[V] in form A, which is the adjoint of its gradient; form B is self-adjoint", () => {
    fc.assert(
      fc.property(seeds, someForm, (seed, form) => {
        const layer = layerOf({ form });
        const { projector } = layer;
        const [h, v, w] = ["h", "v", "w"].map((name) => normal(seed, name, [8, 8]));
        const forward = (x: Tensor) => layer.forward(x);
        const { tangent } = jvp(forward, [h!], [v!]);
        const pull = (g: Tensor) => vjp(forward, h!).pullback(g)[0]!;
        expect(Math.abs(inner(tangent, w!) - inner(v!, pull(w!)))).toBeLessThan(1e-10);
        if (form === "B") expect(distance(tangent, pull(v!))).toBeLessThan(1e-11);
        else {
          const pushed = jvp((x: Tensor) => truncateRank(x, { rank: 2 }), [h!], [v!]).tangent;
          expect(distance(tangent, projector.project(v!).add(projector.remove(pushed)))).toBeLessThan(1e-11);
        }
      }),
    );
  });

  it("passes gradcheck unclipped on states with a gap, with and without a weight", () => {
    const weight = { rows: [1, 2, 3, 2, 1], columns: [1, 2, 2, 1] };
    for (const form of forms) {
      const plain = layerOf({ form, bound: Infinity });
      const h = withSpectrum(6, grid, [4, 3, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05]);
      const state = plain.projector.remove(tensor(h, { shape: [8, 8] }));
      expect(gradcheck((x) => plain.forward(x), [state], { tolerance: 1e-9 }).passed).toBe(true);
      const weighted = new MomentPreservingTruncation({
        grid: { rows: 5, columns: 4, weight },
        rank: 1,
        form,
        bound: Infinity,
      });
      const small = tensor(withSpectrum(8, { rows: 5, columns: 4 }, [4, 0.5, 0.3]), { shape: [5, 4] });
      expect(gradcheck((x) => weighted.forward(x), [small], { tolerance: 1e-9 }).passed).toBe(true);
    }
  });

  it("is in float32 the gradient of float64 to rounding", () => {
    fc.assert(
      fc.property(seeds, someForm, (seed, form) => {
        const layer = layerOf({ form });
        const h = layer.projector
          .remove(tensor(withSpectrum(seed, grid, [4, 3, 0.5, 0.3]), { shape: [8, 8] }))
          .cast("float32");
        const g = normal(seed, "g", [8, 8]).cast("float32");
        const pull = (x: Tensor, y: Tensor) => vjp((z: Tensor) => layer.forward(z), x).pullback(y)[0]!;
        const exact = pull(h.cast("float64"), g.cast("float64"));
        expect(distance(pull(h, g), exact)).toBeLessThan(1e-5 * Math.max(1, greatest(exact)));
      }),
    );
  });
});
