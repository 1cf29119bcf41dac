import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, gradcheck, noGrad, softmax, tensor, type Tensor } from "../../../../src/autograd/index.js";
import type { AttentionChange, IdeaOptions } from "../../../../src/ideas/idea.js";
import { meanOfValuesAttention } from "../../../../src/ideas/residual-pivoted/controls/mean-of-values.js";
import { oracleAttention } from "../../../../src/ideas/residual-pivoted/controls/oracle-svd.js";
import {
  orthogonalDirections,
  positiveFeaturesAttention,
} from "../../../../src/ideas/residual-pivoted/controls/positive-features.js";
import {
  pseudoInverse,
  segmentMeans,
  segmentMeansAttention,
} from "../../../../src/ideas/residual-pivoted/controls/segment-means.js";
import { residualPivoted, residualPivotedAttention } from "../../../../src/ideas/residual-pivoted/index.js";
import { attention, Parameter } from "../../../../src/nn/index.js";
import { generator } from "../../../../src/random/index.js";
import { jacobiSvd } from "../../../../src/tensor/linalg/index.js";
import { runs } from "../../../runs.js";
import { distance, greatest, normal, seeds } from "../../moment-rank2/random-matrices.js";

const controls = new Map(residualPivoted.controls!.map((control) => [control.name, control]));

function attentionOf(name: string, options: IdeaOptions = {}, seed = 5): AttentionChange {
  const change = controls.get(name)!.change({ ...residualPivoted.options, ...options }, generator(seed));
  return change.attention!;
}

type Operands = [q: Tensor, k: Tensor, v: Tensor];

/** q, k and v `[1, 2, n, 4]` in float64. */
function operands(seed: number, n = 6, spread = 1): Operands {
  const draw = (name: string, std: number): Tensor => normal(seed, name, [1, 2, n, 4]).mul(std);
  return [draw("q", spread), draw("k", spread), draw("v", 1)];
}

const property = (law: (qkv: Operands, seed: number) => void, n = 6): void =>
  fc.assert(
    fc.property(seeds, (seed) => law(operands(seed, n), seed)),
    { numRuns: runs(10) },
  );
const site = { layer: 0 };

describe("the controls of residual-pivoted", () => {
  it("are those of the design, each with its name, formula and meaning", () => {
    expect([...controls.values()].map(({ name, kind }) => [name, kind ?? "trained"])).toEqual([
      ["exact-attention", "baseline"],
      ["uniform-pivots", "trained"],
      ["greedy-pivots", "trained"],
      ["gaussian-pivots", "trained"],
      ["mean-of-v", "trained"],
      ["nystrom", "trained"],
      ["random-features", "trained"],
      ["oracle-svd", "evaluated"],
    ]);
    for (const control of controls.values()) {
      for (const word of ["title", "statement", "why"] as const) expect(control[word]).not.toBe("");
    }
  });

  it.each([...controls.keys()])(
    "%s: gives [batch, heads, n, d], and the same for the same stream",
    (name) => {
      const [q, k, v] = operands(1).map((x) => x.cast("float32")) as Operands;
      const out = noGrad(() => attentionOf(name)(q, k, v, site));
      expect(out.shape).toEqual([1, 2, 6, 4]);
      expect(out.dtype).toBe("float32");
      expect(noGrad(() => attentionOf(name)(q, k, v, site)).values()).toEqual(out.values());
    },
  );

  // The weights of Nyström attention sum to 1 only as far as its pseudo-inverse has converged, and those of A_r do not.
  const averaging = [...controls.keys()].filter((name) => name !== "nystrom" && name !== "oracle-svd");

  it.each(averaging)("%s: values that are all alike come out as they are", (name) => {
    property(([q, k, v], seed) => {
      const alike = v.mul(0).add(normal(seed, "value", [1, 2, 1, 4]));
      expect(distance(attentionOf(name)(q, k, alike, site), alike)).toBeLessThan(1e-10);
    });
  });

  const trained = [...controls.values()].filter(({ kind }) => kind !== "evaluated").map(({ name }) => name);

  it.each(trained.filter((name) => !name.endsWith("-pivots")))(
    "%s: has the right gradient in float64",
    (name) => {
      const f = attentionOf(name);
      expect(gradcheck((q, k, v) => f(q, k, v, site), operands(3, 4)).passed).toBe(true);
    },
  );
});

describe.each(["uniform", "greedy", "gaussian"] as const)("%s-pivots", (pivots) => {
  it("is the idea with its pivots chosen by that law, whatever law the options name", () => {
    const qkv = operands(2, 12);
    const direct = residualPivotedAttention(...qkv, { rank: 3, pivots, rng: generator(5) }).output;
    const control = attentionOf(`${pivots}-pivots`, { rank: 3, pivots: "exp" });
    expect(control(...qkv, site).values()).toEqual(direct.values());
  });
});

describe("exact-attention", () => {
  it("is the attention of the baseline, to the bit", () => {
    const qkv = operands(4);
    expect(attentionOf("exact-attention")(...qkv, site).values()).toEqual(attention(...qkv).values());
  });
});

describe("mean-of-v", () => {
  it("is exact attention where all scores are alike", () => {
    property(([q, k, v]) => {
      const nowhere = k.mul(0);
      expect(distance(meanOfValuesAttention(q, v), attention(q, nowhere, v))).toBeLessThan(1e-14);
    });
  });
});

describe("nystrom", () => {
  it("takes means of segments as even as they come, which together are the mean of all", () => {
    const x = tensor([[1], [2], [3], [4], [5], [6], [7]], { dtype: "float64" });
    expect(segmentMeans(x, 3).toArray()).toEqual([[2], [4.5], [6.5]]);
    expect(segmentMeans(x, 1).item()).toBeCloseTo(4, 14);
    expect(segmentMeans(x, 7).toArray()).toEqual(x.toArray());
    expect(() => segmentMeans(x, 8)).toThrow(/E_VALUE.*7 tokens cannot make 8 segments/);
  });

  it("inverts what is well conditioned", () => {
    property((_qkv, seed) => {
      const a = softmax(normal(seed, "a", [2, 4, 4]).mul(0.1).add(eyeOf(4).mul(4)), -1);
      expect(distance(a.matmul(pseudoInverse(a)), eyeOf(4).expand([2, 4, 4]))).toBeLessThan(1e-6);
    });
  });

  it("is exact attention where every token is a landmark and attends mostly to itself", () => {
    const n = 4;
    const q = eyeOf(n).mul(6).reshape([1, 1, n, n]);
    const v = normal(1, "v", [1, 1, n, 3]);
    expect(distance(segmentMeansAttention(q, q, v, n), attention(q, q, v))).toBeLessThan(1e-6);
  });

  it("does not see the order of keys within a segment", () => {
    property(([q, k, v]) => {
      const swapped = (x: Tensor): Tensor => x.gather(tensor([1, 0, 2, 3, 5, 4], { dtype: "int32" }), -2);
      expect(
        distance(segmentMeansAttention(q, swapped(k), swapped(v), 2), segmentMeansAttention(q, k, v, 2)),
      ).toBeLessThan(1e-12);
    });
  });
});

describe("random-features", () => {
  it("has orthogonal directions whose lengths are those of normal vectors", () => {
    const [features, d] = [10, 4];
    const w = tensor(orthogonalDirections(generator(1), features, d), { shape: [features, d] });
    const products = w.matmul(w.transpose()).toArray() as number[][];
    for (let i = 0; i < features; i++) {
      for (let j = 0; j < i; j++) {
        if (Math.floor(i / d) === Math.floor(j / d)) expect(Math.abs(products[i]![j]!)).toBeLessThan(1e-12);
      }
    }
    const many = orthogonalDirections(generator(2), 4000, d);
    const squares = many.reduce((sum, x) => sum + x * x, 0) / 4000;
    // The mean of 4000 independent χ²_4, standard error √(8/4000): five of them.
    expect(Math.abs(squares - d)).toBeLessThan(5 * Math.sqrt(8 / 4000));
  });

  it("has the exponential kernel as its expectation", () => {
    const d = 4;
    const count = 20_000;
    const directions = orthogonalDirections(generator(3), count, d);
    property(([q, k]) => {
      const [x, y] = [q, k].map((z) => z.values().slice(0, d)) as [Float64Array, Float64Array];
      const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
        Array.from({ length: d }, (_, i) => a[i]! * b[i]!).reduce((sum, product) => sum + product, 0);
      const scaled = [x, y].map((z) => z.map((entry) => entry / 2)) as [Float64Array, Float64Array];
      const half = (dot(scaled[0], scaled[0]) + dot(scaled[1], scaled[1])) / 2;
      let [sum, squares] = [0, 0];
      for (let f = 0; f < count; f++) {
        const w = directions.subarray(f * d, (f + 1) * d);
        const term = Math.exp(dot(w, scaled[0]) + dot(w, scaled[1]) - half);
        sum += term;
        squares += term * term;
      }
      const mean = sum / count;
      const error = Math.sqrt((squares / count - mean * mean) / count);
      expect(Math.abs(mean - Math.exp(dot(scaled[0], scaled[1])))).toBeLessThan(6 * error);
    });
  });

  it("comes near exact attention with many features, and is what the formula says with few", () => {
    const qkv = operands(7, 6, 0.7);
    const many = positiveFeaturesAttention(...qkv, orthogonalDirections(generator(4), 20_000, 4));
    expect(distance(many, attention(...qkv))).toBeLessThan(0.05);
    const directions = orthogonalDirections(generator(5), 3, 4);
    const [q, k, v] = qkv;
    const w = tensor(directions, { shape: [3, 4] }).transpose();
    const features = (x: Tensor): Tensor =>
      x
        .mul(Math.SQRT1_2)
        .matmul(w)
        .sub(x.mul(Math.SQRT1_2).square().sum(-1, { keepDims: true }).mul(0.5))
        .exp();
    const weights = features(q).matmul(features(k).transpose());
    const expected = weights.matmul(v).div(weights.sum(-1, { keepDims: true }));
    expect(distance(positiveFeaturesAttention(...qkv, directions), expected)).toBeLessThan(1e-12);
  });

  it("stays finite and within the range of the values at large norms", () => {
    const [q, k, v] = operands(8, 6, 100).map((x) => x.cast("float32")) as Operands;
    const out = positiveFeaturesAttention(q, k, v, orthogonalDirections(generator(6), 4, 4));
    expect(greatest(out)).toBeLessThanOrEqual(greatest(v) * (1 + 1e-6));
  });

  it("draws once for each layer, and not the same for two", () => {
    const f = attentionOf("random-features");
    const qkv = operands(9);
    const first = f(...qkv, { layer: 0 }).values();
    expect(f(...qkv, { layer: 1 }).values()).not.toEqual(first);
    expect(f(...qkv, { layer: 0 }).values()).toEqual(first);
  });
});

describe("oracle-svd", () => {
  it("is exact attention at full rank, and misses A by its other singular values at a lower one", () => {
    property(([q, k], seed) => {
      const identity = eyeOf(6).reshape([1, 1, 6, 6]).expand([1, 2, 6, 6]);
      const a = attention(q, k, identity);
      expect(distance(oracleAttention(q, k, identity, 6, generator(seed)), a)).toBeLessThan(1e-12);
      const { s } = jacobiSvd(a.values() as Float64Array, 2, 6, 6);
      for (const rank of [1, 2, 4]) {
        const left = oracleAttention(q, k, identity, rank, generator(seed))
          .sub(a)
          .square()
          .sum([-2, -1])
          .values();
        [0, 1].forEach((head) => {
          const tail = s.slice(head * 6 + rank, head * 6 + 6).reduce((sum, value) => sum + value ** 2, 0);
          expect(Math.abs(left[head]! - tail)).toBeLessThan(1e-12);
        });
      }
    });
  });

  it("takes the rank of the options, at most that of the matrix", () => {
    const qkv = operands(3);
    const out = attentionOf("oracle-svd", { rank: 2 })(...qkv, site);
    expect(distance(out, oracleAttention(...qkv, 2, generator(1)))).toBeLessThan(1e-12);
    expect(distance(attentionOf("oracle-svd", { rank: 9 })(...qkv, site), attention(...qkv))).toBeLessThan(
      1e-12,
    );
  });

  it("refuses to be trained through", () => {
    const [q, k, v] = operands(3);
    const learned = new Parameter(q);
    expect(() => oracleAttention(learned, k, v, 2, generator(1))).toThrow(
      /E_IDEA.*evaluated on trained models only/,
    );
  });
});

function eyeOf(n: number): Tensor {
  return tensor(
    Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)),
    { shape: [n, n] },
  );
}

describe("in a causal model", () => {
  const causal = { layer: 0, causal: true };
  const able = [...controls.keys()].filter((name) => name !== "nystrom" && name !== "oracle-svd");

  it.each(able)("%s: what later tokens hold, NaN too, changes no bit", (name) => {
    property(([q, k, v], seed) => {
      const kept = 1 + (seed % 11);
      const later = (x: Tensor): Tensor =>
        concat([x.slice([null, null, [0, kept]]), x.slice([null, null, [kept]]).mul(NaN)], 2);
      const before = (at: Operands): number[] => [
        ...attentionOf(name, { chunk: 3 })(...at, causal)
          .slice([null, null, [0, kept]])
          .values(),
      ];
      expect(before([later(q), later(k), later(v)])).toEqual(before([q, k, v]));
    }, 12);
  });

  it.each(able)("%s: the last row of all is that of the other form where both see the same", (name) => {
    const [q, k, v] = operands(3, 8);
    const last = (x: Tensor): Tensor => x.slice([null, null, [-1]]);
    const found = last(attentionOf(name, { chunk: 8 })(q, k, v, causal));
    const wanted = last(attentionOf(name.endsWith("pivots") ? "exact-attention" : name)(q, k, v, site));
    expect(distance(found, wanted)).toBeLessThan(1e-10);
  });

  it.each(["nystrom", "oracle-svd"])("%s: is refused, since it would show the future", (name) => {
    const at = operands(1);
    expect(() => noGrad(() => attentionOf(name)(...at, causal))).toThrow(/E_IDEA.*future/s);
  });

  it.each(["mean-of-v", "random-features"])("%s: has the right gradient in float64", (name) => {
    const attend = attentionOf(name);
    expect(gradcheck((q, k, v) => attend(q!, k!, v!, causal), operands(2), { tolerance: 1e-9 }).passed).toBe(
      true,
    );
  });

  it("random features that have all underflowed give 0, not NaN", () => {
    const [q, k, v] = operands(2).map((x) => x.cast("float32")) as Operands;
    const out = attentionOf("random-features")(q, k.mul(1e4), v, causal);
    expect(greatest(out)).toBe(0);
  });
});
