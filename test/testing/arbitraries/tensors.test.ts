import { describe, expect, test } from "vitest";
import type { Tensor } from "../../../src/autograd/index.js";
import { areBroadcastable } from "../../../src/tensor/index.js";
import {
  axesOf,
  broadcastable,
  broadcastShapePairs,
  domains,
  dtypes,
  inputs,
  magnitudes,
  matmulPairs,
  shapes,
  specials,
  tensors,
} from "../../../src/testing/arbitraries/index.js";
import { always, smallest } from "./smallest.js";

const elements = (x: Tensor): number[] => [...x.values()];

describe("numbers", () => {
  test("magnitudes are finite, log-uniform and of both signs", () => {
    const drawn: number[] = [];
    always(magnitudes(), (x) => void drawn.push(x), 4000);
    expect(drawn.every((x) => x === 0 || (Math.abs(x) >= 2 ** -10 && Math.abs(x) <= 2 ** 6))).toBe(true);
    const share = (holds: (x: number) => boolean): number => drawn.filter(holds).length / drawn.length;
    // 15/16 of the draws are spread over 16 octaves, of which these are 5 and 5; ±0.05 is beyond 5 standard deviations.
    expect(share((x) => x !== 0 && Math.abs(x) < 2 ** -5)).toBeCloseTo((15 / 16) * (5 / 16), 1);
    expect(share((x) => Math.abs(x) > 2)).toBeCloseTo((15 / 16) * (5 / 16), 1);
    expect(share((x) => x < 0)).toBeCloseTo(0.5, 1);
    expect(share((x) => x === 0)).toBeGreaterThan(0);
  });

  test.each([
    ["a threshold shrinks to the simplest number above it", (x: number) => x <= 0.37, 1],
    ["a large threshold to the first whole number above it", (x: number) => x <= 100, 101],
    ["a negative one to its own sign", (x: number) => x >= -2.5, -3],
  ])("%s", (_, holds, simplest) => {
    expect(smallest(magnitudes({ high: 1024 }), holds)).toBe(simplest);
  });

  test("shrinking stays in the domain", () => {
    expect(smallest(domains.notZero, () => false)).toBe(1);
    expect(smallest(domains.positive, (x) => x >= 1)).toBe(0.5);
    expect(smallest(domains.aboveMinusOne, (x) => x >= 0)).toBe(-0.5);
  });

  test("specials hold every kind that is not usual, and shrink to the one that fails", () => {
    const drawn = new Set<number>();
    always(specials, (x) => void drawn.add(x), 2000);
    for (const x of [NaN, Infinity, -Infinity, 2 ** -149, Number.MAX_VALUE]) expect(drawn.has(x)).toBe(true);
    expect([...drawn].some(Number.isFinite)).toBe(true);
    expect(smallest(specials, (x) => !Number.isNaN(x))).toBeNaN();
    expect(smallest(specials, (x) => x !== -Infinity)).toBe(-Infinity);
  });
});

describe("tensors", () => {
  test("have the rank, sizes, type and elements asked for", () => {
    always(tensors({ minRank: 1, maxRank: 2, minSize: 2, maxSize: 3, elements: domains.positive }), (x) => {
      expect(x.rank === 1 || x.rank === 2).toBe(true);
      expect(x.shape.every((size) => size === 2 || size === 3)).toBe(true);
      expect(x.dtype).toBe("float64");
      expect(elements(x).every((v) => v >= 0.4 && v <= 3)).toBe(true);
    });
    for (const dtype of ["float32", "float64", "int32", "bool"] as const)
      always(tensors({ dtype }), (x) => expect(x.dtype).toBe(dtype), 20);
  });

  test("are finite unless special values are asked for", () => {
    always(tensors({ dtype: "float32" }), (x) => expect(elements(x).every(Number.isFinite)).toBe(true));
    expect(
      elements(smallest(tensors({ elements: specials }), (x) => !elements(x).some(Number.isNaN))),
    ).toEqual([NaN]);
  });

  test("shrink to the fewest axes, slices and digits", () => {
    const x = smallest(tensors(), (v) => !elements(v).some((e) => e > 7.3));
    expect([x.shape, elements(x)]).toEqual([[], [8]]);
    const y = smallest(tensors({ minRank: 2 }), (v) => elements(v).filter((e) => e !== 0).length < 3);
    expect([y.shape, elements(y)]).toEqual([
      expect.toBeOneOf([
        [1, 3],
        [3, 1],
      ]),
      [1, 1, 1],
    ]);
  });

  test("of a given shape keep it", () => {
    const x = smallest(tensors({ shape: [2, 3] }), (v) => elements(v).every((e) => e <= 4));
    expect(x.shape).toEqual([2, 3]);
    expect(elements(x).sort()).toEqual([0, 0, 0, 0, 0, 5]);
  });

  test("with a distance between elements keep it while they shrink", () => {
    const options = { minRank: 1, minSize: 1, maxSize: 5, apart: 0.2 };
    const closest = (x: Tensor): number => {
      const sorted = elements(x).sort((a, b) => a - b);
      return Math.min(Infinity, ...sorted.slice(1).map((v, i) => v - sorted[i]!));
    };
    always(tensors(options), (x) => expect(closest(x)).toBeGreaterThanOrEqual(0.2 - 1e-12));
    const x = smallest(tensors(options), (v) => v.size < 3);
    expect([...elements(x)].sort()).toEqual([-1, 0, 1]);
  });
});

describe("inputs of a signature", () => {
  test("share the sizes that share a name", () => {
    always(inputs("(m,n),(n,3*p)->(m,3*p)"), ([a, b]) => {
      expect(a!.shape[1]).toBe(b!.shape[0]);
      expect(b!.shape[1]! % 3).toBe(0);
    });
    always(inputs("(n,n),()"), ([a, b]) => {
      expect(a!.shape[0]).toBe(a!.shape[1]);
      expect(b!.shape).toEqual([]);
    });
  });

  test("lose slices of a name together", () => {
    const [a, b] = smallest(inputs("(m,n),(n,p)"), ([x, y]) => x!.matmul(y!).shape[0]! * x!.shape[1]! < 4);
    expect([a!.shape, b!.shape]).toEqual(
      expect.toBeOneOf([
        [
          [2, 2],
          [2, 1],
        ],
        [
          [4, 1],
          [1, 1],
        ],
        [
          [1, 4],
          [4, 1],
        ],
      ]),
    );
    expect([...elements(a!), ...elements(b!)].every((v) => v === 0)).toBe(true);
  });

  test("lose a slice of every block of a product", () => {
    // Blocks of h hold their number: dropping must leave one element of each block.
    const [a] = smallest(inputs("(3*h)", { elements: domains.real, minSize: 2 }), ([x]) => {
      const h = x!.size / 3;
      return !elements(x!)
        .slice(2 * h)
        .some((v) => v > 1.5);
    });
    expect(elements(a!)).toEqual([0, 0, 0, 0, expect.any(Number), expect.any(Number)]);
    expect(elements(a!).slice(4).sort()).toEqual([0, 2]);
  });

  test("take options for each input", () => {
    const options = {
      dtype: ["int32", "float32"],
      sizes: { n: 3 },
      elements: [domains.whole, domains.positive],
    } as const;
    always(inputs("(n),(m,n)", options), ([a, b]) => {
      expect([a!.dtype, b!.dtype, a!.shape, b!.shape[1]]).toEqual(["int32", "float32", [3], 3]);
    });
  });

  test.each([
    ["m,n", /E_VALUE: signature "m,n": "m,n" is not a list of shapes/],
    ["(m)->(n)", /no input has the size n of the result/],
    ["(m)->(m)->(m)", /more than one ->/],
    ["(m,...)", /\.\.\. must be the first/],
    ["(m-1)", /"m-1" is not a size/],
    ["(m)->(m),(m)", /2 results, expected one/],
  ])("refuse the signature %s", (text, message) => {
    expect(() => inputs(text)).toThrow(message);
  });

  test("refuse options of another length, and sizes in the wrong order", () => {
    expect(() => inputs("(m),(m)", { dtype: ["float32"] })).toThrow(
      /E_VALUE: inputs: dtype has 1 entries, expected 2/,
    );
    expect(() => smallest(inputs("(m)", { minSize: 5 }), () => false)).toThrow(
      /expected the smaller one first/,
    );
  });
});

describe("pairs", () => {
  test("broadcast to each other, in every way", () => {
    const seen = new Set<string>();
    always(broadcastable(), ([a, b]) => {
      expect(areBroadcastable(a.shape, b.shape)).toBe(true);
      if (a.rank !== b.rank) seen.add("rank");
      a.shape.slice(-1).forEach((size) => size === 1 && b.shape.at(-1)! > 1 && seen.add("left"));
      b.shape.slice(-1).forEach((size) => size === 1 && a.shape.at(-1)! > 1 && seen.add("right"));
    });
    expect([...seen].sort()).toEqual(["left", "rank", "right"]);
  });

  test("shrink to the smallest pair that broadcasts", () => {
    const [a, b] = smallest(broadcastable(), ([x, y]) => x.add(y).size === x.size);
    expect([a.shape, b.shape, elements(a), elements(b)]).toEqual([[], [2], [0], [0, 0]]);
  });

  test("can be multiplied, in batches", () => {
    const ranks = new Set<number>();
    always(matmulPairs(), ([a, b]) => void ranks.add(a.matmul(b).rank));
    expect([...ranks].sort()).toEqual([2, 3, 4]);
    const [a, b] = smallest(matmulPairs(), ([x, y]) => elements(x.matmul(y)).every((v) => v <= 1));
    expect([a.shape, b.shape]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    expect(elements(a)[0]! * elements(b)[0]!).toBe(2);
  });
});

test("shapes, pairs of shapes, types and axes shrink to the simplest that fails", () => {
  expect(smallest(shapes(), (shape) => shape.length < 2)).toEqual([0, 0]);
  expect(smallest(broadcastShapePairs(), ([a]) => a.length < 2)[0]).toEqual([0, 0]);
  expect(smallest(dtypes, (dtype) => dtype !== "int32")).toBe("int32");
  expect(smallest(axesOf(3), (axes) => axes.every((axis) => axis >= 0))).toHaveLength(1);
});
