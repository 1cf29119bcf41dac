import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradcheck, grad, jvp, vjp, zeros, type Tensor } from "../../../src/autograd/index.js";
import { cutsOf } from "../../../src/ideas/moment-rank2/dimension-tree.js";
import { largestRank } from "../../../src/ideas/moment-rank2/evidence/state-figures.js";
import {
  forms,
  HierarchicalTruncation,
  MomentPreservingTruncation,
  tensorMoments,
  truncateRank,
  TruncationCounter,
} from "../../../src/ideas/moment-rank2/index.js";
import {
  asMatrix,
  fromMatrix,
  truncateHierarchically,
} from "../../../src/ideas/moment-rank2/truncate-hierarchically.js";
import { runs } from "../../runs.js";
import { distance, greatest, inner, normal, seeds } from "./random-matrices.js";
import { nodes, ofTerms, shapes, treeOf, withGaps, type Shaped } from "./some-tensors.js";

const someShape = fc.constantFrom<Shaped>(...shapes);
const someForm = fc.constantFrom(...forms);
const sizeOf = ({ shape }: Shaped): number => shape.reduce((product, points) => product * points, 1);
const some = { numRuns: runs(10) };
const unclipped = { bound: Infinity };
const norm = (x: Tensor): number => Math.sqrt(inner(x, x));

function layerOf(given: Shaped, options: object = {}): HierarchicalTruncation {
  return new HierarchicalTruncation({ ...given, ...options });
}

describe("truncateHierarchically", () => {
  it("has the ranks of the tree at every node, and not less on any tensor", () => {
    fc.assert(
      fc.property(seeds, someShape, (seed, given) => {
        const x = truncateHierarchically(normal(seed, "h", [1, sizeOf(given)]), treeOf(given));
        for (const node of nodes(given)) expect(largestRank(asMatrix(x, node))).toBe(node.rank);
      }),
      some,
    );
  });

  it("leaves a tensor of these ranks as it is", () => {
    fc.assert(
      fc.property(seeds, someShape, (seed, given) => {
        const least = Math.min(...nodes(given).map(({ rank }) => rank));
        const h = ofTerms(seed, given.shape, least);
        const root = treeOf(given);
        expect(distance(truncateHierarchically(h, root), h)).toBeLessThan(1e-13 * Math.max(1, greatest(h)));
        const exact = withGaps(seed, given, 0);
        expect(distance(truncateHierarchically(exact, root), exact)).toBeLessThan(1e-13);
      }),
      some,
    );
  });

  it("errs by what its truncations cut off at most, and within a level by no more than the root of their squares", () => {
    fc.assert(
      fc.property(seeds, someShape, (seed, given) => {
        const root = treeOf(given);
        const h = normal(seed, "h", [1, root.size]);
        const levels = new Map<number, number>();
        let x = h;
        for (const node of cutsOf(root)) {
          const matrix = asMatrix(x, node);
          const kept = truncateRank(matrix, { rank: node.rank });
          // Nodes of a level have as many modes, but for the last ones of an odd number.
          const depth = Math.ceil(Math.log2(given.shape.length / (node.last - node.first)));
          levels.set(depth, (levels.get(depth) ?? 0) + norm(matrix.sub(kept)) ** 2);
          x = fromMatrix(kept, node);
        }
        const bound = [...levels.values()].reduce((sum, squares) => sum + Math.sqrt(squares), 0);
        const found = truncateHierarchically(h, root);
        expect(norm(h.sub(found))).toBeLessThan(bound * (1 + 1e-12));
        expect(distance(found, x)).toBeLessThan(1e-12);
      }),
      some,
    );
  });

  it("is the truncation of a matrix on two modes", () => {
    const root = treeOf({ shape: [5, 3], rank: 2, transferRank: 9 });
    const h = normal(4, "h", [7, 5, 3]);
    const found = truncateHierarchically(h.reshape([7, 15]), root);
    expect(distance(found.reshape([7, 5, 3]), truncateRank(h, { rank: 2 }))).toBeLessThan(1e-13);
  });

  it("refuses other sizes", () => {
    expect(() => truncateHierarchically(zeros([2, 63]), treeOf(shapes[0]))).toThrow(/E_SHAPE.*64 entries/);
  });
});

describe("tensorMoments", () => {
  it("spans 1, each v and the sum of their squares, or no energy where every mode has two points", () => {
    expect(tensorMoments({ shape: [4, 4, 4] }).names).toEqual([
      "mass",
      "momentum 1",
      "momentum 2",
      "momentum 3",
      "energy",
    ]);
    expect(tensorMoments({ shape: [2, 2, 2, 2, 2, 2] }).count).toBe(7);
    const { elements, count } = tensorMoments({ shape: [3, 2, 4] });
    const functions = [
      () => 1,
      (i: number) => i - 1,
      (_: number, j: number) => j - 0.5,
      (_: number, __: number, k: number) => k - 1.5,
      (i: number, j: number, k: number) => (i - 1) ** 2 + (j - 0.5) ** 2 + (k - 1.5) ** 2,
    ];
    for (const f of functions) {
      const values = Array.from({ length: 24 }, (_, at) =>
        f(Math.floor(at / 8), Math.floor(at / 4) % 2, at % 4),
      );
      const rest = [...values];
      for (let k = 0; k < count; k++) {
        const along = values.reduce((sum, value, at) => sum + value * elements[k * 24 + at]!, 0);
        rest.forEach((_, at) => (rest[at]! -= along * elements[k * 24 + at]!));
      }
      expect(greatest(rest)).toBeLessThan(1e-13);
    }
  });

  it("refuses weights for another number of modes", () => {
    expect(() =>
      tensorMoments({
        shape: [2, 2, 3],
        weights: [
          [1, 1],
          [1, 1],
        ],
      }),
    ).toThrow(/E_VALUE.*3 modes, got 2/);
    expect(() =>
      tensorMoments({
        shape: [2, 2, 3],
        weights: [
          [1, 1],
          [1, 1],
          [1, 1],
        ],
      }),
    ).toThrow(/E_VALUE.*3 weights of the mode 3, got 2/);
  });
});

describe("HierarchicalTruncation", () => {
  it("keeps the moments: float64 to rounding, float32 to 5e-7 measured in float64", () => {
    fc.assert(
      fc.property(seeds, someShape, someForm, (seed, given, form) => {
        const layer = layerOf(given, { form });
        const h = normal(seed, "h", [4, sizeOf(given)]).tanh();
        const matrices = (x: Tensor): Tensor =>
          x.cast("float64").reshape([4, layer.projector.basis.rows, layer.projector.basis.columns]);
        const drift = (x: Tensor): number =>
          distance(
            layer.projector.moments(matrices(layer.forwardFlat(x))),
            layer.projector.moments(matrices(x)),
          );
        expect(drift(h)).toBeLessThan(1e-14);
        expect(drift(h.cast("float32"))).toBeLessThan(5e-7);
        const plain = truncateHierarchically(h, layer.tree);
        const moved = distance(
          layer.projector.moments(matrices(plain)),
          layer.projector.moments(matrices(h)),
        );
        expect(moved).toBeGreaterThan(1e-4);
      }),
      some,
    );
  });

  it("has ranks of at most 2 more than those of the tree, and C(0) = 0", () => {
    fc.assert(
      fc.property(seeds, someShape, someForm, (seed, given, form) => {
        const layer = layerOf(given, { form });
        const c = layer.forwardFlat(normal(seed, "h", [1, sizeOf(given)]));
        for (const node of nodes(given))
          expect(largestRank(asMatrix(c, node))).toBeLessThanOrEqual(node.rank + 2);
        expect(greatest(layer.forwardFlat(c.mul(0)))).toBe(0);
      }),
      some,
    );
  });

  it("is, on two modes, the moment-preserving truncation of matrices, with its gradient", () => {
    for (const form of forms) {
      const [tensors, matrices] = [
        layerOf({ shape: [8, 8], rank: 2, transferRank: 2 }, { form }),
        new MomentPreservingTruncation({ grid: { rows: 8, columns: 8 }, form }),
      ];
      const [h, g] = ["h", "g"].map((name) => normal(3, name, [5, 64]));
      expect(distance(tensors.forwardFlat(h!), matrices.forwardFlat(h!))).toBeLessThan(1e-13);
      const pull = (layer: HierarchicalTruncation | MomentPreservingTruncation) =>
        vjp((x: Tensor) => layer.forwardFlat(x), h!).pullback(g!)[0]!;
      expect(distance(pull(tensors), pull(matrices))).toBeLessThan(1e-12);
    }
  });

  it.each([0, 2, 4, 5].flatMap((at) => forms.map((form) => ({ ...shapes[at]!, form }))))(
    "has the gradient of differences unclipped, where there are gaps: $shape, form $form",
    ({ form, ...given }) => {
      const layer = layerOf(given, { form, ...unclipped });
      const { rows, columns } = layer.projector.basis;
      const h = withGaps(2, given).reshape([rows, columns]);
      const state = form === "B" ? layer.projector.remove(h) : h;
      expect(gradcheck((x) => layer.forward(x), [state], { tolerance: 1e-8 }).passed).toBe(true);
    },
  );

  it("has with a weight the gradient of differences, and keeps the weighted moments", () => {
    const given = { shape: [3, 2, 4], rank: 2, transferRank: 2 };
    const weights = [
      [1, 2, 1],
      [1, 0.5],
      [0.5, 1, 1, 2],
    ];
    for (const form of forms) {
      const layer = layerOf(given, { form, weights, ...unclipped });
      const h = withGaps(2, given).reshape([6, 4]);
      expect(gradcheck((x) => layer.forward(x), [h], { tolerance: 1e-8 }).passed).toBe(true);
      expect(distance(layer.projector.moments(layer.forward(h)), layer.projector.moments(h))).toBeLessThan(
        1e-14,
      );
    }
  });

  it("pulls back what it pushes: ⟨DC[V], W⟩ = ⟨V, DC*[W]⟩, clipped or not", () => {
    fc.assert(
      fc.property(seeds, someShape, someForm, (seed, given, form) => {
        const layer = layerOf(given, { form });
        const [h, v, w] = ["h", "v", "w"].map((name) => normal(seed, name, [sizeOf(given)]));
        const f = (x: Tensor): Tensor => layer.forwardFlat(x);
        const pulled = vjp(f, h!).pullback(w!)[0]!;
        const pushed = jvp(f, [h!], [v!]).tangent;
        expect(Math.abs(inner(pushed, w!) - inner(v!, pulled))).toBeLessThan(
          1e-11 * Math.max(1, norm(pushed) * norm(w!)),
        );
      }),
      some,
    );
  });

  it("has a finite gradient at zero, at equal entries and at rank-deficient tensors, in both types", () => {
    for (const given of shapes) {
      const size = sizeOf(given);
      const flat = [zeros([1, size], { dtype: "float64" }), normal(1, "h", [1, 1]).add(zeros([1, size]))];
      for (const form of forms) {
        const layer = layerOf(given, { form });
        for (const h of [...flat, ofTerms(5, given.shape, 1)]) {
          for (const dtype of ["float64", "float32"] as const) {
            const g = normal(2, "g", [1, size]).cast(dtype);
            const pulled = vjp((x: Tensor) => layer.forwardFlat(x), h.cast(dtype)).pullback(g)[0]!;
            expect(greatest(pulled)).toBeGreaterThan(0.01);
            expect(greatest(pulled)).toBeLessThan(1e4);
          }
        }
      }
    }
  });

  it("counts the clipped gradients of every matrix that it truncates", () => {
    const counter = new TruncationCounter();
    const layer = layerOf(shapes[0], { counter, bound: 1 });
    const { pullback } = vjp((x: Tensor) => layer.forwardFlat(x), normal(1, "h", [5, 64]));
    pullback(normal(1, "g", [5, 64]));
    expect(counter).toMatchObject({ matrices: 15, pairs: 15 * 2 * 2, clippedMatrices: 15 });
  });

  it("offers the other gradients, and refuses a second derivative", () => {
    const h = normal(6, "h", [2, 64]);
    const pulled = (gradient: string): Tensor => {
      const layer = layerOf(shapes[2], { gradient });
      return vjp((x: Tensor) => layer.forwardFlat(x), h).pullback(h.mul(h))[0]!;
    };
    expect(distance(pulled("straight-through"), h.mul(h))).toBeLessThan(1e-14);
    expect(distance(pulled("tangent"), pulled("exact"))).toBeGreaterThan(0.01);
    const layer = layerOf(shapes[2]);
    const slope = grad((x: Tensor) => layer.forwardFlat(x).square().sum());
    expect(() => grad((x: Tensor) => slope(x).square().sum())(h)).toThrow(/E_SECOND_ORDER/);
  });
});
