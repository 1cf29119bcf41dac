import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Tensor } from "../../../src/autograd/index.js";
import {
  arange,
  eye,
  full,
  linspace,
  ones,
  onesLike,
  randomIntegers,
  randomNormal,
  randomPermutation,
  randomUniform,
  tensor,
  zeros,
  zerosLike,
} from "../../../src/autograd/index.js";
import { generator, type Generator } from "../../../src/random/index.js";
import { dtypes, shapes, sizeOf } from "../arbitraries.js";
import { wholes } from "./naive.js";

describe("tensor", () => {
  test("reads nested lists to any depth, and gives them back", () => {
    fc.assert(
      fc.property(
        shapes({ maxRank: 4, minSize: 1 }).chain((shape) => fc.tuple(wholes(shape), dtypes)),
        ([drawn, dtype]) => {
          const x = drawn.cast(dtype);
          const again = tensor(x.toArray(), { dtype });
          expect(again.shape).toEqual(x.shape);
          expect(again.values()).toEqual(x.values());
        },
      ),
    );
    expect(tensor(3).shape).toEqual([]);
    expect(tensor([]).shape).toEqual([0]);
    expect(tensor([[], []]).shape).toEqual([2, 0]);
    expect(tensor([true, false]).dtype).toBe("bool");
    expect(tensor([true, 1]).dtype).toBe("float32");
    expect(tensor([[1, 2]], { shape: [2, 1] }).shape).toEqual([2, 1]);
  });

  test("copies what it is given, and what it gives", () => {
    const data = Float64Array.of(1, 2);
    const shape = [2];
    const x = tensor(data, { shape });
    data[0] = 9;
    shape[0] = 7;
    x.values()[1] = 9;
    (x.toArray() as number[])[1] = 9;
    expect(x.toArray()).toEqual([1, 2]);
    expect(x.shape).toEqual([2]);
    const nested = [[1, 2]];
    const folded = tensor(nested, { shape: [2] });
    nested[0]![0] = 5;
    expect(folded.toArray()).toEqual([1, 2]);
  });

  test("typed arrays keep their type; bytes are truth values", () => {
    expect(tensor(Float64Array.of(0.1)).dtype).toBe("float64");
    expect(tensor(Int32Array.of(1), { dtype: "float32" }).dtype).toBe("float32");
    expect(tensor(Uint8Array.of(0, 1, 7)).toArray()).toEqual([false, true, true]);
    expect(tensor(Float32Array.of(0, 0.5), { dtype: "bool" }).toArray()).toEqual([false, true]);
    expect(() => tensor(new Float32Array(6), { shape: [2, 2] })).toThrow(/E_SHAPE.*\[2, 2\].*4.*6/s);
    for (const bad of [new Int8Array(1), new BigInt64Array(1), new DataView(new ArrayBuffer(8))])
      expect(() => tensor(bad as never)).toThrow(/E_DTYPE.*Float32Array/s);
  });

  test("refuses what is ragged or no number, and says where", () => {
    expect(() => tensor([[1, 2], [3]])).toThrow(/E_SHAPE.*2 entries.*got 1 at \[1\]/s);
    expect(() => tensor([1, [2]] as never)).toThrow(/E_SHAPE/);
    expect(() => tensor([[1], 2] as never)).toThrow(/E_SHAPE.*\[1\].*2/s);
    expect(() => tensor([[1, "a"]] as never)).toThrow(/E_VALUE.*\[0\]\[1\].*string a/s);
    expect(() => tensor("3" as never)).toThrow(/E_VALUE/);
    expect(() => tensor(undefined as never)).toThrow(/E_VALUE/);
    expect(() => tensor(tensor(1) as never)).toThrow(/E_VALUE/);
    // eslint-disable-next-line no-sparse-arrays
    expect(() => tensor([1, , 3] as never)).toThrow(/E_VALUE.*\[1\]/s);
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => tensor(loop as never)).toThrow(/E_SHAPE.*contain itself/s);
    expect(() => tensor([1], { dtype: "float16" as never })).toThrow(/E_DTYPE.*float16/s);
    expect(() => tensor([1], { shape: [-1] })).toThrow(/E_SHAPE/);
  });
});

describe("filled tensors", () => {
  test("zeros, ones, full and their likes, in every type", () => {
    fc.assert(
      fc.property(shapes(), dtypes, (shape, dtype) => {
        for (const [x, value] of [
          [zeros(shape, { dtype }), 0],
          [ones(shape, { dtype }), 1],
          [full(shape, 1, { dtype }), 1],
        ] as const) {
          expect(x.shape).toEqual(shape);
          expect(x.dtype).toBe(dtype);
          expect(x.size).toBe(sizeOf(shape));
          expect([...x.values()].every((v) => v === value)).toBe(true);
          expect(zerosLike(x).dtype).toBe(dtype);
          expect(onesLike(x).shape).toEqual(shape);
        }
      }),
    );
    expect(full([2], 7, { dtype: "bool" }).values()).toEqual(Uint8Array.of(1, 1));
    expect(full([1], -0).values()[0]).toBe(-0);
    expect(() => full([2], "1" as never)).toThrow(/E_VALUE.*string/s);
    expect(() => zeros([2.5])).toThrow(/E_SHAPE.*\[2.5\]/s);
    expect(() => zeros(3 as never)).toThrow(/E_SHAPE.*3/s);
    expect(() => zeros([1e6, 1e6])).toThrow(/E_SHAPE.*536870912/s);
    expect(zeros([2], { requiresGrad: true }).requiresGrad).toBe(true);
    expect(() => zeros([2], { dtype: "bool", requiresGrad: true })).toThrow(/E_DTYPE/);
  });

  test("arange is NumPy's", () => {
    expect(arange(4).toArray()).toEqual([0, 1, 2, 3]);
    expect(arange(1, 2, 0.25).toArray()).toEqual([1, 1.25, 1.5, 1.75]);
    expect(arange(3, -1, -1.5).toArray()).toEqual([3, 1.5, 0]);
    expect(arange(2, 2).shape).toEqual([0]);
    expect(arange(5, 2).shape).toEqual([0]);
    expect(arange(0, 3, 1, { dtype: "int32" }).dtype).toBe("int32");
    expect(arange(0, 3, 1, { dtype: "bool" }).values()).toEqual(Uint8Array.of(0, 1, 1));
    expect(() => arange(0, 1, 0)).toThrow(/E_VALUE/);
    expect(() => arange(NaN)).toThrow(/E_VALUE/);
    expect(() => arange(0, 1e300)).toThrow(/E_SHAPE/);
  });

  test("linspace reaches both ends, eye has its diagonal", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: -9, max: 9 }),
        fc.nat(9),
        (a, b, count) => {
          const x = linspace(a, b, count, { dtype: "float64" }).values();
          expect(x.length).toBe(count);
          if (count > 0) expect(x[0]).toBe(a);
          if (count > 1) expect(x[count - 1]).toBe(b);
          x.forEach((value, i) => expect(value).toBeCloseTo(a + (i * (b - a)) / Math.max(1, count - 1), 12));
        },
      ),
    );
    expect(() => linspace(0, 1, 2.5)).toThrow(/E_SHAPE/);
    expect(eye(2, 3).toArray()).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ]);
    expect(eye(0).shape).toEqual([0, 0]);
    expect(() => eye(-1)).toThrow(/E_SHAPE/);
  });
});

describe("random tensors", () => {
  test("are a function of the stream", () => {
    const draw = (): Tensor[] => {
      const rng = generator(3);
      return [
        randomUniform(rng, [2, 3], { low: -1, high: 2 }),
        randomNormal(rng, [4], { mean: 10, std: 0.5, dtype: "float64" }),
        randomIntegers(rng, [5], -2, 3),
        randomPermutation(rng, 6),
      ];
    };
    draw().forEach((x, i) => expect(x.values()).toEqual(draw()[i]!.values()));
    const [uniform, normal, integers, order] = draw();
    expect([uniform!.dtype, normal!.dtype, integers!.dtype, order!.dtype]).toEqual([
      "float32",
      "float64",
      "int32",
      "int32",
    ]);
    expect([...order!.values()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(integers!.values().every((v) => v >= -2 && v < 3)).toBe(true);
  });

  test("uniform float32 numbers stay below the upper bound", () => {
    /** A stream whose numbers are as close to the upper bound as float64 allows. */
    const nearlyOne = Object.assign(Object.create(generator(0)) as Generator, {
      uniforms: (count: number, low: number, high: number) =>
        new Float64Array(count).fill(low + (high - low) * (1 - 2 ** -53)),
    });
    for (const [low, high] of [
      [0, 1],
      [-2, -1],
      [-1, 0],
      [0, 0.1],
      [0.3, 1.5],
      [0, 3e38],
    ] as const) {
      const value = randomUniform(nearlyOne, [1], { low, high }).item();
      expect(value, `[${low}, ${high})`).toBeLessThan(high);
      expect(value).toBeGreaterThanOrEqual(low);
      expect(high - value).toBeLessThan(1e-6 * Math.max(1, Math.abs(high)));
    }
  });

  test("refuse bounds and types that have none", () => {
    const rng = generator(1);
    expect(() => randomUniform(rng, [2], { low: 1, high: 0 })).toThrow(/E_VALUE/);
    expect(() => randomNormal(rng, [2], { std: -1 })).toThrow(/E_VALUE/);
    expect(() => randomIntegers(rng, [2], 0.5, 3)).toThrow(/E_VALUE/);
    expect(() => randomUniform(rng, [2], { dtype: "int32" as never })).toThrow(/E_DTYPE/);
    expect(() => randomPermutation(rng, -1)).toThrow(/E_SHAPE/);
  });
});

test("item, assign and detach", () => {
  const x = tensor([1, 2], { requiresGrad: true });
  expect(tensor([[3]]).item()).toBe(3);
  expect(() => x.item()).toThrow(/E_SHAPE.*\[2\]/s);
  expect(x.detach().requiresGrad).toBe(false);
  expect(x.assign(tensor([5, 6]))).toBe(x);
  expect(x.version).toBe(1);
  expect(x.toArray()).toEqual([5, 6]);
  expect(() => x.assign(tensor([1, 2, 3]))).toThrow(/E_SHAPE.*\[2\].*\[3\]/s);
  expect(() => x.assign([1, 2] as never)).toThrow(/E_VALUE.*tensor/s);
  expect(() => x.assign(tensor([1, 2], { dtype: "float64" }))).toThrow(/E_DTYPE.*float32.*float64/s);
});
