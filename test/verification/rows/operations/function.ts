import fc from "fast-check";
import {
  concat,
  einsum,
  mean,
  randomNormal,
  split,
  squeeze,
  stack,
  std,
  svd,
  transpose,
  unsqueeze,
  variance,
  type Tensor,
} from "../../../../src/autograd/index.js";
import { generator } from "../../../../src/random/index.js";
import { Comparison } from "../../../../src/testing/comparison.js";
import { axesOf, distinct, shapes, tensors } from "../../../autograd/arbitraries.js";
import { at, built } from "../../../autograd/values/naive.js";
import type { RoundingUse } from "../../checks/rounding.js";
import { einsumLoop, moved, overAxes, reshaped } from "../../loops.js";
import { operationRow, type Subject } from "../../operation-row.js";
import { check, type Row } from "../../row.js";
import type { Naive, Sample } from "../../sample.js";

const rng = generator("functions at real sizes");
const draw = (...shape: number[]): Tensor => randomNormal(rng, shape, { dtype: "float64" });

const movesOnly = {
  1: "moves elements and computes nothing: exact at level 0",
  2: "moves elements and computes nothing: exact at level 0",
} as const;
const notElementwise = "an element of the result depends on many: level 2";
const notWhole = "quotients and roots of whole numbers are not whole";

type Statistic = (x: Tensor, axes: number[] | undefined, options: { keepDims: boolean }) => Tensor;

const statistic = (
  f: Statistic,
  points: (shape: readonly number[]) => fc.Arbitrary<Tensor>,
  loop?: (list: number[]) => number,
) =>
  shapes({ minSize: 2, minRank: 1 }).chain((dims) =>
    fc
      .tuple(
        points(dims),
        axesOf(dims.length).filter((axes) => axes.length > 0),
        fc.boolean(),
      )
      .map(([x, axes, keepDims]): Sample => ({
        f: (v) => f(v!, axes, { keepDims }),
        inputs: [x],
        ...(loop && { naive: overAxes(loop, axes, keepDims) }),
      })),
  );

const squares: RoundingUse["bound"] = (x) => x!.square().mean(1).mul(Math.sqrt(x!.shape[1]!));

/** Products, transposes, diagonals, outer products, sums over single letters, chains, sizes of 0, no arrow. */
const subscripts: readonly (readonly [text: string, output: string, ...shapes: number[][]])[] = [
  ["ij,jk->ik", "ik", [2, 3], [3, 2]],
  ["bij,bjk->bik", "bik", [2, 2, 3], [2, 3, 1]],
  ["bqhd,bkhd->bhqk", "bhqk", [1, 2, 2, 3], [1, 3, 2, 3]],
  ["ii,i->i", "i", [3, 3], [3]],
  ["i,j->", "", [2], [3]],
  ["ij,ij->j", "j", [2, 3], [2, 3]],
  ["ij,kj->ik", "ik", [0, 2], [2, 2]],
  ["ij,jk,kl->il", "il", [2, 2], [2, 3], [3, 2]],
  ["i,j,k->kij", "kij", [2], [2], [2]],
  ["ab,bc,ac->b", "b", [2, 3], [3, 2], [2, 2]],
  ["bij->bj", "bj", [2, 2, 3]],
  ["ji,jk", "ik", [2, 3], [2, 2]],
];

const sums = fc.constantFrom(...subscripts).chain(([text, output, ...operands]) =>
  fc.tuple(...operands.map((shape) => tensors(shape))).map((inputs): Sample => {
    const letters = text.replace(/->.*/, "").split(",");
    return { f: (...xs) => einsum(text, ...xs), inputs, naive: einsumLoop(letters, output) };
  }),
);

const stacks = fc.tuple(shapes(), fc.integer({ min: 1, max: 3 })).chain(([shape, count]) =>
  fc
    .tuple(
      fc.integer({ min: 0, max: shape.length }),
      fc.array(tensors(shape), { minLength: count, maxLength: count }),
    )
    .map(([axis, inputs]): Sample => ({
      f: (...xs) => stack(xs, axis),
      inputs,
      naive: (...xs) =>
        built([...shape.slice(0, axis), count, ...shape.slice(axis)], (index) =>
          at(
            xs[index[axis]!]!,
            index.filter((_, i) => i !== axis),
          ),
        ),
    })),
);

/** Pieces weighted differently, so that a piece in the wrong place is seen. */
const pieces = shapes({ minRank: 1 }).chain((shape) =>
  fc.integer({ min: 0, max: shape.length - 1 }).chain((axis) =>
    fc.tuple(tensors(shape), fc.integer({ min: 0, max: shape[axis]! })).map(([x, first]): Sample => ({
      f: (v) => {
        const [a, b] = split(v!, [first, shape[axis]! - first], axis) as [Tensor, Tensor];
        return concat([b.mul(2), a], axis);
      },
      inputs: [x],
      naive: ((v) =>
        built(shape, (index) => {
          const second = shape[axis]! - first;
          const inSecond = index[axis]! < second;
          const source = index.map((i, k) => (k !== axis ? i : inSecond ? i + first : i - second));
          return (inSecond ? 2 : 1) * at(v!, source);
        })) satisfies Naive,
    })),
  ),
);

/** A use that drops or adds axes of size 1. */
const ones = (f: (x: Tensor) => Tensor, from: number[], to: number[]): fc.Arbitrary<Sample> =>
  tensors(from).map((x) => ({ f: (v) => f(v!), inputs: [x], naive: (v) => reshaped(v!, to) }));

const subjects: Readonly<Record<string, Subject>> = {
  mean: {
    samples: statistic(mean, tensors),
    records: "sum",
    float32Units: 24,
    rounding: () => [
      {
        f: (x) => x!.mean(1),
        inputs: [draw(20, 3000)],
        bound: (x) => x!.abs().mean(1).mul(Math.sqrt(3000)),
      },
    ],
    real: () => [{ f: (x) => x!.mean([0, 2]), inputs: [draw(30, 4, 70)] }],
    cases: ["mean-axis-matmul"],
    reasons: { 0: notWhole, 1: notElementwise },
  },
  variance: {
    samples: statistic(variance, distinct),
    records: "square",
    float32Units: 24,
    rounding: () => [{ f: (x) => x!.variance(1), inputs: [draw(20, 3000)], bound: squares }],
    twins: () => [
      {
        f: (x) => x!.variance(1, { correction: 0 }),
        twin: (x) => x!.square().mean(1).sub(x!.mean(1).square()),
        inputs: [draw(20, 70)],
        bound: squares,
      },
    ],
    real: () => [{ f: (x) => x!.variance([0, 2]), inputs: [draw(30, 4, 70)] }],
    cases: ["std-constant"],
    reasons: { 0: notWhole, 1: notElementwise },
  },
  std: {
    samples: statistic(std, distinct),
    records: "sqrt",
    /** The gradient is divided by the spread. */
    float32Units: 48,
    rounding: () => [
      { f: (x) => x!.std(1), inputs: [draw(20, 3000)], bound: (x) => x!.std(1).mul(Math.sqrt(3000)) },
    ],
    real: () => [{ f: (x) => x!.std([0, 2]), inputs: [draw(30, 4, 70)] }],
    cases: ["std-constant"],
    reasons: { 0: notWhole, 1: notElementwise },
  },
  einsum: {
    samples: sums,
    records: "matmul",
    float32Units: 24,
    rounding: () => [
      {
        f: (a, b) => einsum("bqhd,bkhd->bhqk", a!, b!),
        inputs: [draw(4, 20, 3, 40), draw(4, 25, 3, 40)],
        bound: (a, b) => einsum("bqhd,bkhd->bhqk", a!.abs(), b!.abs()).mul(Math.sqrt(40)),
      },
    ],
    real: () => [
      {
        f: (a, b) => einsum("bqhd,bkhd->bhqk", a!, b!),
        inputs: [draw(4, 20, 3, 8), draw(4, 25, 3, 8)],
      },
    ],
    reasons: { 1: notElementwise },
  },
  stack: {
    samples: stacks,
    records: "concat",
    float32Units: 8,
    real: () => [{ f: (a, b) => stack([a!, b!, a!], 1), inputs: [draw(30, 20), draw(30, 20)] }],
    reasons: movesOnly,
  },
  split: {
    samples: pieces,
    records: "slice",
    float32Units: 8,
    real: () => [
      {
        f: (x) => {
          const [a, b] = split(x!, 2, 1) as [Tensor, Tensor];
          return a.mul(b);
        },
        inputs: [draw(30, 40)],
      },
    ],
    reasons: movesOnly,
  },
  transpose: {
    samples: tensors([2, 3, 2]).chain((x) =>
      fc.constantFrom([-2, -1], [0, 1], [2, 0]).map(([a, b]): Sample => {
        const order = [0, 1, 2];
        const [i, j] = [(a! + 3) % 3, (b! + 3) % 3];
        [order[i], order[j]] = [j, i];
        return {
          f: (v) => transpose(v!, a, b),
          inputs: [x],
          naive: moved(
            order.map((axis) => [2, 3, 2][axis]!),
            (index) => index.map((_, axis) => index[order.indexOf(axis)]!),
          ),
        };
      }),
    ),
    records: "permute",
    real: () => [{ f: (x) => x!.transpose(), inputs: [draw(64, 80)] }],
    reasons: movesOnly,
  },
  squeeze: {
    samples: fc.oneof(
      ones(squeeze, [1, 2, 1], [2]),
      ones((x) => squeeze(x, -1), [1, 2, 1], [1, 2]),
      ones((x) => squeeze(x, [0, 2]), [1, 0, 1], [0]),
    ),
    records: "reshape",
    real: () => [{ f: (x) => x!.squeeze(), inputs: [draw(64, 1, 80)] }],
    reasons: movesOnly,
  },
  unsqueeze: {
    samples: fc.oneof(
      ones((x) => unsqueeze(x, 0), [2, 3], [1, 2, 3]),
      ones((x) => unsqueeze(x, -1), [2, 3], [2, 3, 1]),
      ones((x) => unsqueeze(x, 0), [], [1]),
    ),
    records: "reshape",
    real: () => [{ f: (x) => x!.unsqueeze(1), inputs: [draw(64, 80)] }],
    reasons: movesOnly,
  },
};

const noGradient =
  "svd has no gradient and refuses an input that asks for one: test/autograd/refusals.test.ts";

const svdSamples = tensors([3, 2]).map((x): Sample => ({ f: (v) => svd(v!.detach()).s, inputs: [x] }));

/** U·diag(s)·Vᵀ is the matrix, and U and V have orthonormal columns. */
const decomposition = check("U·diag(s)·Vᵀ = x, UᵀU = VᵀV = 1", () => {
  const comparison = new Comparison("Decomposition");
  for (const shape of [
    [24, 8],
    [8, 24],
    [3, 9, 9],
  ]) {
    const x = draw(...shape);
    const { u, s, v } = svd(x);
    const back = u.mul(s.unsqueeze(-2)).matmul(v, { transposeB: true });
    const identity = u
      .matmul(u, { transposeA: true })
      .add(v.matmul(v, { transposeA: true }))
      .mul(0.5);
    const one = identity.mul(0).add(identity.detach().tril().triu().greater(0.5).cast("float64"));
    for (const [part, found, expected] of [
      ["product", back, x],
      ["orthonormal", identity, one],
    ] as const)
      found.values().forEach((value, i) => {
        const wanted = expected.values()[i]!;
        comparison.error(part, 1e-13, Math.abs(value - wanted) / 10, () => ({
          where: `element ${i}`,
          expected: wanted,
          found: value,
        }));
      });
  }
  return comparison.result();
});

export const functionRows: readonly Row[] = [
  ...Object.entries(subjects).map(([name, subject]) =>
    operationRow(name, "function", [`autograd ${name}`], subject),
  ),
  operationRow("svd", "plain", ["autograd svd"], {
    samples: svdSamples,
    further: { 0: [decomposition] },
    reasons: {
      0: noGradient,
      8: "singular values of random matrices in test/tensor/linalg/jacobi-svd.test.ts",
    },
  }),
];
