import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matmul, randomNormal, tensor, zeros, type Tensor } from "../../../src/autograd/index.js";
import { generator } from "../../../src/random/index.js";
import { at, built, expectSame, wholes } from "./naive.js";
import { runs } from "../../runs.js";

const size = fc.integer({ min: 0, max: 3 });
const stacks = fc.constantFrom<[number[], number[]][]>(
  [[], []],
  [[2], []],
  [[], [2]],
  [[2], [2]],
  [[1], [3]],
  [[2, 1], [3]],
  [
    [2, 3],
    [1, 3],
  ],
  [[0], [1]],
);

/** NumPy's matmul by its definition. */
function naive(a: Tensor, b: Tensor): Tensor {
  const left = a.rank === 1 ? a.unsqueeze(0) : a;
  const right = b.rank === 1 ? b.unsqueeze(1) : b;
  const [m, k] = left.shape.slice(-2) as [number, number];
  const n = right.shape[right.rank - 1]!;
  const rank = Math.max(left.rank, right.rank) - 2;
  const padded = (x: Tensor): number[] => [
    ...new Array<number>(rank + 2 - x.rank).fill(1),
    ...x.shape.slice(0, -2),
  ];
  const batch = padded(left).map((length, axis) => (length === 1 ? padded(right)[axis]! : length));
  const read = (x: Tensor, stack: number[], i: number, j: number): number => {
    const own = stack.slice(rank + 2 - x.rank).map((s, axis) => (x.shape[axis] === 1 ? 0 : s));
    return at(x, [...own, i, j]);
  };
  const full = built([...batch, m, n], (index) => {
    const stack = index.slice(0, rank);
    const [i, j] = index.slice(rank) as [number, number];
    let sum = 0;
    for (let p = 0; p < k; p++) sum += read(left, stack, i, p) * read(right, stack, p, j);
    return sum;
  });
  const rows = a.rank === 1 ? [] : [m];
  const columns = b.rank === 1 ? [] : [n];
  return full.reshape([...batch, ...rows, ...columns]);
}

/** −0 and 0 are one number here: an empty sum is 0. */
const plus = (x: Tensor): Tensor => x.add(0);

describe("matmul", () => {
  test("is NumPy's, with batches that broadcast and vectors, transposed or not", () => {
    const cases = fc
      .tuple(size, size, size, stacks, fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
      .chain(([m, k, n, [left, right], vectorA, vectorB, transposeA, transposeB]) =>
        fc.tuple(
          wholes(vectorA ? [k] : [...left, m, k]),
          wholes(vectorB ? [k] : [...right, k, n]),
          fc.constant({ transposeA, transposeB }),
        ),
      );
    fc.assert(
      fc.property(cases, ([a, b, { transposeA, transposeB }]) => {
        const wanted = naive(a, b);
        expectSame(plus(matmul(a, b)), plus(wanted));
        const stored = (x: Tensor, flip: boolean): Tensor => (flip && x.rank > 1 ? x.transpose() : x);
        expectSame(
          plus(matmul(stored(a, transposeA), stored(b, transposeB), { transposeA, transposeB })),
          plus(wanted),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test("all storage orders give the same bits, and float32 is within 4√k·u·Σ|ab| of float64", () => {
    const rng = generator("matmul");
    for (const [m, k, n] of [
      [1, 1, 1],
      [5, 7, 3],
      [4, 300, 2],
      [9, 513, 5],
    ] as const) {
      const a = randomNormal(rng, [m, k]);
      const b = randomNormal(rng, [k, n]);
      const plain = matmul(a, b);
      expectSame(matmul(a.transpose(), b, { transposeA: true }), plain);
      expectSame(matmul(a, b.transpose(), { transposeB: true }), plain);
      expectSame(matmul(a.transpose(), b.transpose(), { transposeA: true, transposeB: true }), plain);
      const exact = matmul(a.cast("float64"), b.cast("float64")).values();
      const sizes = matmul(a.abs().cast("float64"), b.abs().cast("float64")).values();
      plain.values().forEach((value, i) => {
        expect(Math.abs(value - exact[i]!)).toBeLessThanOrEqual(4 * Math.sqrt(k) * 2 ** -24 * sizes[i]!);
      });
    }
  });

  test("whole numbers count as float32, and plain lists take the other's type", () => {
    expect(matmul(tensor([[2]], { dtype: "int32" }), tensor([[3]], { dtype: "int32" })).dtype).toBe(
      "float32",
    );
    const exact = matmul(tensor([[1]], { dtype: "float64" }), [[0.1]]);
    expect(exact.toArray()).toEqual([[0.1]]);
  });

  test("names both shapes and the rule", () => {
    expect(() => matmul(zeros([2, 3, 4]), zeros([5, 6]))).toThrow(
      /E_SHAPE.*\[2, 3, 4\] and \[5, 6\].*4 and 5/s,
    );
    expect(() => matmul(zeros([3]), zeros([4]))).toThrow(/E_SHAPE.*\[3\] and \[4\]/s);
    expect(() => matmul(zeros([2, 1, 1]), zeros([3, 1, 1]))).toThrow(
      /E_SHAPE.*\[2, 1, 1\] and \[3, 1, 1\].*broadcast/s,
    );
    expect(() => matmul(zeros([3, 2]), zeros([2, 2]), { transposeA: true })).toThrow(
      /E_SHAPE.*\[3, 2\]ᵀ and \[2, 2\]/s,
    );
    expect(() => matmul(2, zeros([2]))).toThrow(/E_SHAPE.*scalars/s);
  });
});
