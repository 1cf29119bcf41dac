import { describe, expect, test } from "vitest";
import { concat, matmul, softmax, tensor, vjp, type Tensor } from "../../../src/autograd/index.js";
import {
  residualPivotedAttention,
  type AttentionOptions,
} from "../../../src/ideas/residual-pivoted/index.js";
import { forwardBatch, type BatchPlan } from "../../../src/ideas/residual-pivoted/kernel/batch.js";
import { dustTolerance, pivotLaws } from "../../../src/ideas/residual-pivoted/settings.js";
import { generator } from "../../../src/random/index.js";
import type { Floats } from "../../../src/tensor/index.js";

const tokens = 10;
const width = 4;

function normals(seed: string, shape: number[], std = 1): Tensor {
  const size = shape.reduce((product, each) => product * each, 1);
  return tensor(generator(seed).normals(size, 0, std), { shape, dtype: "float32" });
}

function inputs(std = 1): Tensor[] {
  return ["q", "k", "v"].map((name) => normals(name, [tokens, width], std));
}

/** The output, its statistics, and the gradients of a random weighting of the output. */
function everything(qkv: Tensor[], options: AttentionOptions = {}) {
  let statistics;
  const run = vjp(
    (q, k, v) => {
      const attention = residualPivotedAttention(q!, k!, v!, { rng: generator("pivots"), ...options });
      statistics = attention.statistics;
      return attention.output;
    },
    ...qkv,
  );
  const gradients = run.pullback(normals("cotangent", [...run.value.shape]));
  return {
    output: run.value.values() as Float32Array,
    gradients: gradients.map((gradient) => gradient.values() as Float32Array),
    statistics: statistics! as ReturnType<typeof residualPivotedAttention>["statistics"],
  };
}

function bits(values: Float32Array): number[] {
  return [...new Int32Array(values.buffer, values.byteOffset, values.length)];
}

function expectFinite({ output, gradients }: ReturnType<typeof everything>): void {
  for (const values of [output, ...gradients]) {
    expect(values.every((value) => Number.isFinite(value))).toBe(true);
  }
}

/** Rows of `x` replaced by one value. */
function withRows(x: Tensor, rows: readonly number[], value: number): Tensor {
  const values = x.values();
  for (const row of rows) values.fill(value, row * width, (row + 1) * width);
  return tensor(values, { shape: [...x.shape] });
}

describe("identical tokens exhaust the rank", () => {
  for (const pivots of pivotLaws) {
    test(`all equal: one pivot, the mean of the values (${pivots})`, () => {
      const one = tensor(new Float32Array(tokens * width).fill(0.7), { shape: [tokens, width] });
      const v = normals("v", [tokens, width]);
      const result = everything([one, one, v], { pivots, rank: 6 });
      expectFinite(result);
      const mean = v.mean(0).values();
      result.output.forEach((value, at) => expect(value).toBeCloseTo(mean[at % width]!, 5));
    });

    test(`three distinct points: at most six pivots, finite everywhere (${pivots})`, () => {
      const [q, k, v] = inputs();
      const repeat = (x: Tensor): Tensor =>
        x.gather(tensor([0, 1, 2, 0, 1, 2, 0, 1, 2, 0], { dtype: "int32" }));
      const result = everything([repeat(q!), repeat(k!), v!], { pivots, rank: 20 });
      expectFinite(result);
      expect(result.statistics.ranks[0]).toBe(6);
      expect(new Set(result.statistics.pivots.slice(0, 6)).size).toBe(6);
      expect([...result.statistics.pivots.slice(6)]).toEqual(new Array(14).fill(-1));
    });
  }

  test("queries equal to the keys: a pivot is never its own twin", () => {
    const x = normals("x", [tokens, width]);
    const mean = x.mean(0, { keepDims: true });
    const result = everything([x.sub(mean), x.sub(mean), x], { rank: 20 });
    expectFinite(result);
    expect(result.statistics.ranks[0]).toBe(tokens);
    const points = [...result.statistics.pivots.slice(0, tokens)].map((row) => row % tokens);
    expect(new Set(points).size).toBe(tokens);
  });
});

test("what is dust grows with the rank from 8 on: a point 20 u from another is one of its own at rank 8, not at 30", () => {
  const at = (x: number): Tensor => tensor([[x]], { dtype: "float64" });
  const ranks = (rank: number): number[] => [
    ...residualPivotedAttention(at(Math.sqrt(20 * 2 ** -53)), at(0.3), at(1), { rank, pivots: "greedy" })
      .statistics.ranks,
  ];
  expect([1, 8, 19, 30].map((rank) => dustTolerance(rank, false) * 2 ** 53)).toEqual([8, 8, 19, 30]);
  expect([1, 8, 30].map((rank) => dustTolerance(rank, true) * 2 ** 24)).toEqual([8, 8, 30]);
  expect([4, 8, 30, 40].map(ranks)).toEqual([[2], [2], [1], [1]]);
});

test.each(["exp", "uniform"] as const)("of three copies of 50 points no two are pivots (%s)", (pivots) => {
  const copies = tensor(
    Int32Array.from({ length: 75 }, (_, i) => i % 25),
    { shape: [75], dtype: "int32" },
  );
  for (const dtype of ["float32", "float64"] as const) {
    const [q, k, v] = ["q", "k", "v"].map((name) =>
      normals(name, [25, 8], 0.6).cast(dtype).gather(copies),
    ) as [Tensor, Tensor, Tensor];
    const { statistics } = residualPivotedAttention(q, k, v, { rank: 150, pivots, rng: generator(6) });
    const chosen = [...statistics.pivots].filter((row) => row >= 0);
    expect(chosen).toHaveLength(50);
    expect(new Set(chosen.map((row) => Math.floor(row / 75) * 25 + ((row % 75) % 25))).size).toBe(50);
  }
});

test("rows that are dust of tr K beside one query of large norm still have their attention", () => {
  const [q, k, v] = inputs().map((x) => x.cast("float64")) as [Tensor, Tensor, Tensor];
  const large = concat([q.slice([[0, 1]]).mul(12), q.slice([[1, tokens]])]);
  const points = (x: Tensor): number[] => [...x.square().sum(-1).div(Math.sqrt(width)).exp().values()];
  const [most, ...others] = points(large);
  expect(Math.max(...others) * 2 * tokens).toBeLessThan(dustTolerance(20, false) * most!);
  const { output, statistics } = residualPivotedAttention(large, k, v, { rank: 20, rng: generator(1) });
  const exact = matmul(softmax(matmul(large, k.transpose()).div(Math.sqrt(width)), -1), v);
  expect([...statistics.ranks]).toEqual([20]);
  output.values().forEach((value, at) => expect(value).toBeCloseTo(exact.values()[at]!, 10));
});

test("a repeated held pivot is passed over", () => {
  const [q, k, v] = inputs();
  const twice = everything([q!, k!, v!], { rank: 4, held: Int32Array.of(3, 3, 12, 3) });
  const once = everything([q!, k!, v!], { rank: 2, held: Int32Array.of(3, 12) });
  expect([...twice.statistics.pivots]).toEqual([3, 12, -1, -1]);
  expect(bits(twice.output)).toEqual(bits(once.output));
  expect(twice.gradients.map(bits)).toEqual(once.gradients.map(bits));
});

describe("normalisers that no pivot reaches", () => {
  test("are floored, counted, and leave everything finite", () => {
    const result = everything(inputs(4), { rank: 1 });
    expectFinite(result);
    expect(result.statistics.floored).toBeGreaterThan(0);
  });

  test("even when the kernel underflows altogether", () => {
    const [q, k, v] = inputs();
    const result = everything([q!.mul(60), k!.mul(60), v!], { rank: 2 });
    expectFinite(result);
    expect(result.statistics.floored).toBeGreaterThan(0);
  });
});

test("one key: the output is its value, and the gradient is the identity in it", () => {
  const q = normals("q", [5, width]);
  const k = normals("k", [1, width]);
  const v = normals("v", [1, width]);
  const result = everything([q, k, v], { rank: 6 });
  result.output.forEach((value, at) => expect(value).toBeCloseTo(v.values()[at % width]!, 6));
  expect(result.statistics.clamped).toBe(0);
  expect(result.statistics.floored).toBe(0);
  const cotangent = normals("cotangent", [5, width]).sum(0).values();
  result.gradients[2]!.forEach((value, at) => expect(value).toBeCloseTo(cotangent[at]!, 5));
});

describe("masks", () => {
  const padded = [1, 4, 7, 8];
  const mask = tensor(
    Uint8Array.from({ length: tokens }, (_, i) => (padded.includes(i) ? 0 : 1)),
    { shape: [tokens], dtype: "bool" },
  );
  const masks = { keyMask: mask, queryMask: mask };

  for (const pivots of pivotLaws) {
    test(`NaN and huge numbers in masked positions give the bits that 0 gives there (${pivots})`, () => {
      const spoiledBy = (value: number): ReturnType<typeof everything> =>
        everything(
          inputs().map((x) => withRows(x, padded, value)),
          { ...masks, pivots, rank: 6 },
        );
      const clean = spoiledBy(0);
      expectFinite(clean);
      for (const spoiled of [spoiledBy(NaN), spoiledBy(1e30), spoiledBy(-Infinity)]) {
        expect(bits(spoiled.output)).toEqual(bits(clean.output));
        expect(spoiled.gradients.map(bits)).toEqual(clean.gradients.map(bits));
        expect(spoiled.statistics).toEqual(clean.statistics);
      }
      for (const row of padded) {
        for (const values of [clean.output, ...clean.gradients]) {
          expect([...values.slice(row * width, (row + 1) * width)]).toEqual([0, 0, 0, 0]);
        }
        expect(clean.statistics.pivots).not.toContain(row);
        expect(clean.statistics.pivots).not.toContain(tokens + row);
      }
    });
  }

  test("masked values do not widen the range that outputs are clamped to", () => {
    const attendTo = (value: number, seed: number): ReturnType<typeof everything> => {
      const v = withRows(normals("v", [tokens, width]).add(5), padded, value);
      return everything([normals(`q${seed}`, [tokens, width]), normals(`k${seed}`, [tokens, width]), v], {
        ...masks,
        pivots: "uniform",
        rank: 5,
      });
    };
    let clamped = 0;
    for (let seed = 0; seed < 10; seed++) {
      const [clean, spoiled] = [attendTo(5, seed), attendTo(seed % 2 === 0 ? 50 : -50, seed)];
      clamped += clean.statistics.clamped;
      expect(bits(spoiled.output)).toEqual(bits(clean.output));
    }
    expect(clamped).toBeGreaterThan(20);
  });

  test("a masked query gives 0 even when every value is large, and is no event", () => {
    const [q, k, v] = inputs();
    const { output, statistics } = everything([q!, k!, v!.add(100)], { ...masks, rank: 20 });
    for (const row of padded) expect([...output.slice(row * width, (row + 1) * width)]).toEqual([0, 0, 0, 0]);
    expect(statistics.floored).toBe(0);
    expect(statistics.clamped).toBe(0);
  });

  test("masking is removing", () => {
    const kept = Array.from({ length: tokens }, (_, i) => i).filter((i) => !padded.includes(i));
    const masked = everything(inputs(), masks);
    const short = (row: number): number =>
      row < tokens ? kept.indexOf(row) : kept.length + kept.indexOf(row - tokens);
    const removed = everything(
      inputs().map((x) => x.gather(tensor(kept, { dtype: "int32" }))),
      { held: masked.statistics.pivots.map(short) },
    );
    const rows = (values: Float32Array): number[] =>
      kept.flatMap((row) => [...values.slice(row * width, (row + 1) * width)]);
    expect(rows(masked.output)).toEqual([...removed.output]);
  });

  test("a mask of the batch holds for every head", () => {
    const shape = [2, 3, tokens, width];
    const [q, k, v] = ["q", "k", "v"].map((name) => normals(name, shape));
    const keyMask = tensor(
      Uint8Array.from({ length: 2 * tokens }, (_, i) => (i < tokens || i % 2 === 0 ? 1 : 0)),
      { shape: [2, tokens], dtype: "bool" },
    );
    const { statistics } = everything([q!, k!, v!], { keyMask, rank: 20 });
    const pivots = statistics.pivots.slice(3 * 20).filter((row) => row >= tokens);
    expect(pivots.every((row) => (row - tokens) % 2 === 0)).toBe(true);
    expect([...statistics.ranks]).toEqual([20, 20, 20, 15, 15, 15]);
  });

  test("with every key masked the output and all gradients are exactly 0", () => {
    const none = tensor(new Uint8Array(tokens), { shape: [tokens], dtype: "bool" });
    const { output, gradients, statistics } = everything(inputs(), { keyMask: none });
    for (const values of [output, ...gradients])
      expect(values.every((value) => Object.is(value, 0))).toBe(true);
    expect([...statistics.ranks]).toEqual([0]);
  });

  test("with every query masked the output is 0 and nothing has a gradient", () => {
    const none = tensor(new Uint8Array(tokens), { shape: [tokens], dtype: "bool" });
    const { output, gradients } = everything(inputs(), { queryMask: none });
    for (const values of [output, ...gradients]) expect(values.every((value) => value === 0)).toBe(true);
  });
});

describe("what is not finite is not hidden", () => {
  test.each([
    ["query", 0],
    ["key", 1],
  ])("an unmasked %s that is NaN makes the problem NaN, and only that one", (_, which) => {
    const qkv = ["q", "k", "v"].map((name) => normals(name, [2, tokens, width]));
    const values = qkv[which]!.values();
    values[5] = NaN;
    qkv[which] = tensor(values, { shape: [2, tokens, width] });
    const { output, gradients } = everything(qkv);
    const half = output.length / 2;
    for (const array of [output, ...gradients]) {
      expect(array.slice(0, half).every((value) => Number.isNaN(value))).toBe(true);
      expect(array.slice(half).every((value) => Number.isFinite(value))).toBe(true);
    }
  });

  test("a value that is NaN makes its channel NaN", () => {
    const [q, k, v] = inputs();
    const values = v!.values();
    values[2 * width + 1] = NaN;
    const { output } = everything([q!, k!, tensor(values, { shape: [tokens, width] })]);
    output.forEach((value, at) => expect(Number.isNaN(value)).toBe(at % width === 1));
  });

  test.each(["float32", "float64"] as const)(
    "also where no pivot can be used, so that nothing arrives from any value (%s)",
    (dtype) => {
      const size = { queries: 2, keys: 3, width: 2, channels: 5 };
      const floats = (length: number): Floats =>
        dtype === "float32" ? new Float32Array(length) : new Float64Array(length);
      const v = floats(15).map((_, at) => at);
      v[1] = NaN;
      v[11] = NaN;
      // The only pivot is the key that is masked.
      const plan: BatchPlan = {
        ridge: 0,
        pivots: { held: Int32Array.from([4]) },
        keyMask: { rows: 1, tokens: Uint8Array.from([1, 1, 0]) },
      };
      const out = floats(10);
      forwardBatch(size, 1, 1, plan, { q: floats(4), k: floats(6), v }, out);
      expect([...out]).toEqual([0, NaN, 2, 3, 4, 0, NaN, 2, 3, 4]);
    },
  );
});
