import fc from "fast-check";
import { eye, matmul, solveTriangular, type Tensor } from "../../../src/autograd/index.js";
import { axesOf, distinct, domains, shapes, tensors } from "../arbitraries.js";
import { of, type Sample, type Subject } from "./samples.js";

type Reduce = (x: Tensor, axes: number[] | undefined, options: { keepDims: boolean }) => Tensor;

const overAxes = (
  reduce: Reduce,
  points: (shape: readonly number[]) => fc.Arbitrary<Tensor> = tensors,
  shape = shapes(),
): fc.Arbitrary<Sample> =>
  shape.chain((dims) =>
    fc
      .tuple(points(dims), fc.option(axesOf(dims.length), { nil: undefined }), fc.boolean())
      .map(([x, axes, keepDims]) => ({
        f: (...xs: Tensor[]) => reduce(xs[0]!, axes, { keepDims }),
        inputs: [x],
      })),
  );

const notEmpty = shapes({ minSize: 1 });

const along = (f: (x: Tensor, axis: number) => Tensor, element = domains.real): fc.Arbitrary<Sample> =>
  shapes({ minRank: 1 }).chain((dims) =>
    fc
      .tuple(tensors(dims, element), fc.integer({ min: -dims.length, max: dims.length - 1 }))
      .map(([x, axis]) => ({ f: (...xs: Tensor[]) => f(xs[0]!, axis), inputs: [x] })),
  );

/** Factors of which some are exactly 0, where a rule that divides would fail. */
const withZeros = fc.oneof({ weight: 3, arbitrary: domains.real }, { weight: 1, arbitrary: fc.constant(0) });

const lastAxis = (f: (x: Tensor) => Tensor, rest: Omit<Subject, "samples"> = {}): Subject =>
  of(
    (x) => f(x!),
    shapes({ minRank: 1, maxSize: 4 }).chain((dims) => distinct(dims).map((x) => [x])),
    {
      batches: true,
      float32Units: 16,
      ...rest,
    },
  );

const size = fc.integer({ min: 0, max: 3 });

/** Operands of a product: matrices in batches that broadcast, and vectors. */
const factors: fc.Arbitrary<Sample> = fc
  .tuple(size, size, size, fc.boolean(), fc.boolean(), fc.constantFrom("equal", "left", "right", "vectors"))
  .chain(([m, k, n, transposeA, transposeB, batch]) => {
    const a = transposeA ? [k, m] : [m, k];
    const b = transposeB ? [n, k] : [k, n];
    const options = { transposeA, transposeB };
    const stack = {
      equal: [
        [2, ...a],
        [2, ...b],
      ],
      left: [[2, ...a], b],
      right: [a, [2, 1, ...b]],
      vectors: [[k], b],
    }[batch] as [number[], number[]];
    return fc
      .tuple(tensors(stack[0]), tensors(stack[1]))
      .map((inputs) => ({ f: (...xs: Tensor[]) => matmul(xs[0]!, xs[1]!, options), inputs }));
  });

/** Well conditioned triangular systems; the other triangle holds numbers that must not matter. */
const systems: fc.Arbitrary<Sample> = fc
  .tuple(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 0, max: 2 }),
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
  )
  .chain(([n, columns, batched, upper, transpose]) => {
    const stack = batched ? [2] : [];
    return fc.tuple(tensors([...stack, n, n]), tensors([...stack, n, columns])).map((inputs) => ({
      f: (...xs: Tensor[]) =>
        solveTriangular(xs[0]!.tanh().mul(0.5).add(twiceEye(n, xs[0]!)), xs[1]!, { upper, transpose }),
      inputs,
    }));
  });

const twiceEye = (n: number, { dtype }: Tensor): Tensor => eye(n, n, { dtype }).mul(2);

export const reductionSubjects = {
  sum: { samples: overAxes((x, axes, options) => x.sum(axes, options)), float32Units: 24 },
  max: {
    samples: overAxes((x, axes, options) => x.max(axes, options), distinct, notEmpty),
    float32Units: 24,
  },
  min: {
    samples: overAxes((x, axes, options) => x.min(axes, options), distinct, notEmpty),
    float32Units: 24,
  },
  prod: {
    samples: overAxes(
      (x, axes, options) => x.mul(0.7).prod(axes, options),
      (shape) => tensors(shape, withZeros),
    ),
    float32Units: 24,
  },
  logsumexp: {
    samples: overAxes((x, axes, options) => x.logsumexp(axes, options), tensors, notEmpty),
    float32Units: 24,
  },
  norm: {
    samples: overAxes(
      (x, axes, options) => x.norm(axes, options),
      (shape) => tensors(shape, domains.notZero),
      notEmpty,
    ),
    float32Units: 24,
  },
  cumsum: { samples: along((x, axis) => x.cumsum(axis)), float32Units: 24 },
  cumprod: { samples: along((x, axis) => x.cumprod(axis), withZeros), float32Units: 24 },
  matmul: { samples: factors, float32Units: 16 },
  softmax: lastAxis((x) => x.softmax()),
  logSoftmax: lastAxis((x) => x.logSoftmax()),
  normalize: {
    samples: shapes({ minRank: 1, minSize: 2, maxSize: 4 }).chain((dims) =>
      distinct(dims).map((x) => ({ f: (...xs: Tensor[]) => xs[0]!.normalize(), inputs: [x] })),
    ),
    batches: true,
    /** The gradient is divided by the spread, which is 0.1 at least. */
    float32Units: 80,
  },
  cholesky: {
    samples: fc.constantFrom([2, 2], [3, 3], [2, 2, 2], [0, 2, 2], [1, 1], [0, 0]).chain((shape) =>
      tensors(shape).map((x) => ({
        f: (...xs: Tensor[]) =>
          xs[0]!
            .matmul(xs[0]!, { transposeB: true })
            .mul(0.3)
            .add(twiceEye(shape[shape.length - 1]!, xs[0]!))
            .cholesky(),
        inputs: [x],
      })),
    ),
    batches: true,
    float32Units: 24,
  },
  solveTriangular: { samples: systems, float32Units: 24 },
} satisfies Record<string, Subject>;
