import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradcheck, tensor, zeros } from "../../../src/autograd/index.js";
import { gridMoments, MomentProjector } from "../../../src/ideas/moment-rank2/index.js";
import { distance, greatest, inner, normal, seeds, sides } from "./random-matrices.js";

const weight = { rows: [1, 2, 4, 2, 1], columns: [0.5, 3, 1] };
const weighted = new MomentProjector(gridMoments({ rows: 5, columns: 3, weight }));

describe("MomentProjector", () => {
  it("is an orthogonal projector: P² = P, ⟨P(X), Y⟩ = ⟨X, P(Y)⟩", () => {
    fc.assert(
      fc.property(seeds, sides, (seed, grid) => {
        const projector = new MomentProjector(gridMoments(grid));
        const x = normal(seed, "x", [3, grid.rows, grid.columns]);
        const y = normal(seed, "y", [3, grid.rows, grid.columns]);
        const px = projector.project(x);
        expect(distance(projector.project(px), px)).toBeLessThan(1e-14);
        expect(Math.abs(inner(px, y) - inner(x, projector.project(y)))).toBeLessThan(1e-12);
        expect(greatest(projector.moments(projector.remove(x)))).toBeLessThan(1e-14);
        expect(distance(projector.moments(projector.restore(y, x)), projector.moments(x))).toBeLessThan(
          1e-14,
        );
      }),
    );
  });

  it("with a weight is a projector, self-adjoint in the inner product of 1/w, that keeps the sums of H", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const x = normal(seed, "x", [5, 3]);
        const y = normal(seed, "y", [5, 3]);
        const inverse = tensor(
          weight.rows.map((w1) => weight.columns.map((w2) => 1 / (w1 * w2))),
          { dtype: "float64" },
        );
        const px = weighted.project(x);
        expect(distance(weighted.project(px), px)).toBeLessThan(1e-13);
        const left = inner(px.mul(inverse), y);
        const right = inner(x.mul(inverse), weighted.project(y));
        expect(Math.abs(left - right)).toBeLessThan(1e-12);
        const v1 = tensor([[-4], [-2], [0], [2], [4]], { dtype: "float64" });
        const v2 = tensor([-2, 0, 2], { dtype: "float64" });
        const rest = x.sub(px);
        for (const f of [1, v1, v2, v1.square().add(v2.square())]) {
          expect(Math.abs(rest.mul(f).sum().item())).toBeLessThan(1e-12);
        }
      }),
    );
  });

  it("takes the moments of each matrix of any stack", () => {
    const projector = new MomentProjector(gridMoments({ rows: 8, columns: 8 }));
    const x = normal(1, "x", [2, 3, 8, 8]);
    const moments = projector.moments(x);
    expect(moments.shape).toEqual([2, 3, 4]);
    expect(projector.project(x).shape).toEqual(x.shape);
    const mass = x.sum([-2, -1]).div(8);
    expect(distance(moments.slice([null, null, 0]), mass)).toBeLessThan(1e-13);
    expect(projector.moments(zeros([0, 8, 8])).shape).toEqual([0, 4]);
    expect(projector.moments(x.slice([0, 0])).shape).toEqual([4]);
  });

  it("has the right gradients", () => {
    const x = normal(2, "x", [2, 5, 3]);
    const c = normal(2, "c", [2, 5, 3]);
    expect(gradcheck((h) => weighted.moments(h), [x], { tolerance: 1e-9 }).passed).toBe(true);
    expect(gradcheck((y, h) => weighted.restore(y, h).square(), [c, x], { tolerance: 1e-9 }).passed).toBe(
      true,
    );
  });

  it("refuses other shapes and types", () => {
    expect(() => weighted.moments(zeros([5, 4]))).toThrow(/E_SHAPE.*5×3/);
    expect(() => weighted.project(zeros([15]))).toThrow(/E_SHAPE.*5×3/);
    expect(() => weighted.project(zeros([5, 3], { dtype: "int32" }))).toThrow(/E_DTYPE.*int32/);
  });
});
