import fc from "fast-check";
import {
  eye,
  matmul,
  normalize,
  ones,
  randomNormal,
  solveTriangular,
  tensor,
  type Tensor,
} from "../../../../src/autograd/index.js";
import { generator } from "../../../../src/random/index.js";
import { axesOf, distinct, domains, shapes, tensors } from "../../../autograd/arbitraries.js";
import { built, at } from "../../../autograd/values/naive.js";
import type { RoundingUse } from "../../checks/rounding.js";
import { alongAxis, einsumLoop, overAxes } from "../../loops.js";
import { operationRow, type Subject } from "../../operation-row.js";
import type { Row } from "../../row.js";
import type { Naive, Sample } from "../../sample.js";

type Reduce = (x: Tensor, axes: number[] | undefined, options: { keepDims: boolean }) => Tensor;
type OfList = (list: number[]) => number;

const rng = generator("reductions at real sizes");
const draw = (...shape: number[]): Tensor => randomNormal(rng, shape, { dtype: "float64" });

/** A reduction over any axes, perhaps none or all, and the function of the list that it is. */
const reduction = (
  reduce: Reduce,
  loop?: OfList,
  points: (shape: readonly number[]) => fc.Arbitrary<Tensor> = tensors,
  shape = shapes(),
): fc.Arbitrary<Sample> =>
  shape.chain((dims) =>
    fc
      .tuple(points(dims), fc.option(axesOf(dims.length), { nil: undefined }), fc.boolean())
      .map(([x, axes, keepDims]): Sample => ({
        f: (...xs) => reduce(xs[0]!, axes, { keepDims }),
        inputs: [x],
        ...(loop && { naive: overAxes(loop, axes, keepDims) }),
      })),
  );

const notEmpty = shapes({ minSize: 1 });

/** A running function along one axis. */
const along = (
  f: (x: Tensor, axis: number) => Tensor,
  loop: (list: number[]) => number[],
  element = domains.real,
): fc.Arbitrary<Sample> =>
  shapes({ minRank: 1 }).chain((dims) =>
    fc
      .tuple(tensors(dims, element), fc.integer({ min: -dims.length, max: dims.length - 1 }))
      .map(([x, axis]): Sample => ({
        f: (...xs) => f(xs[0]!, axis),
        inputs: [x],
        naive: alongAxis(loop, axis),
      })),
  );

const running =
  (f: (a: number, b: number) => number, start: number) =>
  (list: number[]): number[] => {
    let total = start;
    return list.map((x) => (total = f(total, x)));
  };

/** Whole numbers that differ: the rank of each element among all. */
const ranked = (samples: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> =>
  samples.map((sample) => ({
    ...sample,
    inputs: sample.inputs.map((x) => {
      const values = [...x.values()];
      const order = [...values].sort((a, b) => a - b);
      return tensor(
        Float64Array.from(values, (v) => order.indexOf(v) - 3),
        { shape: x.shape },
      );
    }),
  }));

/** Factors of which some are exactly 0, where a rule that divides would fail. */
const withZeros = fc.oneof({ weight: 3, arbitrary: domains.real }, { weight: 1, arbitrary: fc.constant(0) });

const notWhole = "its values at whole numbers are not whole";

const lastAxis = (f: (x: Tensor) => Tensor, rest: Omit<Subject, "samples"> = {}): Subject => ({
  samples: shapes({ minRank: 1, maxSize: 4 }).chain((dims) =>
    distinct(dims).map((x): Sample => ({ f: (v) => f(v!), inputs: [x] })),
  ),
  batches: true,
  float32Units: 16,
  reasons: { 0: notWhole },
  ...rest,
});

const size = fc.integer({ min: 0, max: 3 });

/** The product over the last two axes by its definition, leading axes broadcast. */
const productLoop =
  (transposeA: boolean, transposeB: boolean): Naive =>
  (a, b) => {
    const left = (index: number[], i: number, k: number): number =>
      lead(a!, index, transposeA ? [k, i] : [i, k]);
    const right = (index: number[], k: number, j: number): number =>
      lead(b!, index, transposeB ? [j, k] : [k, j]);
    const [m, k] = transposeA ? [a!.shape.at(-1)!, a!.shape.at(-2)!] : [a!.shape.at(-2)!, a!.shape.at(-1)!];
    const n = transposeB ? b!.shape.at(-2)! : b!.shape.at(-1)!;
    const batch = a!.rank > b!.rank ? a!.shape.slice(0, -2) : b!.shape.slice(0, -2);
    return built([...batch, m, n], (index) => {
      const [i, j] = index.slice(-2) as [number, number];
      let total = 0;
      for (let at = 0; at < k; at++)
        total += left(index.slice(0, -2), i, at) * right(index.slice(0, -2), at, j);
      return total;
    });
  };

const lead = (x: Tensor, batch: number[], matrix: number[]): number => {
  const own = x.rank === 2 ? [] : batch.slice(batch.length - (x.rank - 2));
  return at(x, [...own.map((i, axis) => (x.shape[axis] === 1 ? 0 : i)), ...matrix]);
};

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
    const naive: Naive =
      batch === "vectors"
        ? einsumLoop(["k", transposeB ? "nk" : "kn"], "n")
        : productLoop(transposeA, transposeB);
    return fc
      .tuple(tensors(stack[0]), tensors(stack[1]))
      .map((inputs): Sample => ({ f: (...xs) => matmul(xs[0]!, xs[1]!, options), inputs, naive }));
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

const positiveDefinite = (x: Tensor): Tensor =>
  x
    .matmul(x, { transposeB: true })
    .mul(1 / x.shape.at(-1)!)
    .add(twiceEye(x.shape.at(-1)!, x));

const triangular = (x: Tensor): Tensor => {
  const n = x.shape.at(-1)!;
  return x
    .tanh()
    .mul(0.5 / n)
    .add(twiceEye(n, x));
};

const use = (f: RoundingUse["f"], bound: RoundingUse["bound"], ...inputs: Tensor[]): RoundingUse => ({
  f,
  bound,
  inputs,
});

/** √n·Σ|x| of a sum over the axes. */
const summed =
  (axes?: number | number[]): RoundingUse["bound"] =>
  (x) => {
    const total = x!.abs().sum(axes);
    return total.mul(Math.sqrt(x!.size / total.size));
  };

/** √n·u relative to the value: a product of n factors. */
const multiplied =
  (n: number, f: RoundingUse["f"]): RoundingUse["bound"] =>
  (...xs) =>
    f(...xs)
      .abs()
      .mul(Math.sqrt(n));

/** The values of a softmax are sums of n exponentials whose arguments were rounded. */
const exponentials: RoundingUse["bound"] = (x) => {
  const from = x!.sub(x!.max(-1, { keepDims: true }));
  return x!.softmax().mul(from.abs().add(Math.sqrt(x!.shape.at(-1)!)));
};

const logarithms: RoundingUse["bound"] = (x) =>
  x!
    .sub(x!.max(-1, { keepDims: true }))
    .abs()
    .add(Math.sqrt(x!.shape.at(-1)!));

const centred = (x: Tensor): Tensor => x.sub(x.mean(-1, { keepDims: true }));
const composedNormalize = (x: Tensor): Tensor =>
  centred(x).div(centred(x).square().mean(-1, { keepDims: true }).add(0.1).sqrt());

const normalBound: RoundingUse["bound"] = (x) =>
  x!
    .normalize()
    .abs()
    .add(1)
    .mul(Math.sqrt(x!.shape.at(-1)!));

const total = (list: number[]): number => list.reduce((a, b) => a + b, 0);

const subjects: Readonly<Record<string, Subject>> = {
  sum: {
    samples: reduction((x, axes, options) => x.sum(axes, options), total),
    float32Units: 24,
    rounding: () => [
      use((x) => x!.sum(), summed(), draw(9001)),
      use((x) => x!.sum(0), summed(0), draw(9000, 3)),
      use((x) => x!.sum([0, 2]), summed([0, 2]), draw(40, 3, 130)),
    ],
    real: () => [{ f: (x) => x!.sum(0), inputs: [draw(9000, 3)] }],
    cases: ["long-reduction"],
  },
  max: {
    ...extremum(
      (x, axes, options) => x.max(axes, options),
      (list) => Math.max(...list),
    ),
    cases: ["max-ties"],
  },
  min: extremum(
    (x, axes, options) => x.min(axes, options),
    (list) => Math.min(...list),
  ),
  prod: {
    samples: reduction(
      (x, axes, options) => x.prod(axes, options),
      (list) => list.reduce((a, b) => a * b, 1),
      (shape) => tensors(shape, withZeros),
      shapes({ maxRank: 2 }),
    ),
    float32Units: 24,
    rounding: () => [
      use(
        (x) => x!.prod(1),
        multiplied(50, (x) => x!.prod(1)),
        draw(20, 50).mul(0.1).add(1),
      ),
      use(
        (x) => x!.prod(0),
        multiplied(50, (x) => x!.prod(0)),
        draw(50, 20).mul(0.1).add(1),
      ),
    ],
    real: () => [{ f: (x) => x!.prod(1), inputs: [draw(20, 50).mul(0.1).add(1)] }],
    cases: ["prod-zeros"],
  },
  logsumexp: {
    samples: reduction((x, axes, options) => x.logsumexp(axes, options), undefined, tensors, notEmpty),
    float32Units: 24,
    rounding: () => [
      use(
        (x) => x!.logsumexp(0),
        (x) => x!.logsumexp(0).abs().add(Math.sqrt(5000)),
        draw(5000, 3),
      ),
      use(
        (x) => x!.logsumexp(),
        (x) => x!.logsumexp().abs().add(Math.sqrt(300)),
        draw(300).mul(20),
      ),
    ],
    twins: () => [
      {
        ...use(
          (x) => x!.logsumexp(-1),
          (x) => x!.logsumexp(-1).abs().add(Math.sqrt(70)),
          draw(20, 70),
        ),
        twin: (x) => x!.exp().sum(-1).log(),
      },
    ],
    real: () => [{ f: (x) => x!.logsumexp(0), inputs: [draw(5000, 3)] }],
    cases: ["lse-all-neg-inf"],
    reasons: { 0: notWhole },
  },
  norm: {
    samples: reduction(
      (x, axes, options) => x.norm(axes, options),
      undefined,
      (shape) => tensors(shape, domains.notZero),
      notEmpty,
    ),
    float32Units: 24,
    rounding: () => [
      use(
        (x) => x!.norm(1),
        multiplied(300, (x) => x!.norm(1)),
        draw(30, 300),
      ),
    ],
    twins: () => [
      {
        ...use(
          (x) => x!.norm(1),
          multiplied(300, (x) => x!.norm(1)),
          draw(30, 300),
        ),
        twin: (x) => x!.square().sum(1).sqrt(),
      },
    ],
    real: () => [{ f: (x) => x!.norm(1), inputs: [draw(60, 300)] }],
    cases: ["norm-at-zero"],
    reasons: { 0: notWhole },
  },
  cumsum: {
    samples: along(
      (x, axis) => x.cumsum(axis),
      running((a, b) => a + b, 0),
    ),
    float32Units: 24,
    rounding: () => [
      use(
        (x) => x!.cumsum(1),
        (x) =>
          x!
            .abs()
            .cumsum(1)
            .mul(ones([2000], { dtype: "float64" }).cumsum(0).sqrt()),
        draw(3, 2000),
      ),
    ],
    real: () => [
      { f: (x) => x!.cumsum(1), inputs: [draw(3, 2000)] },
      { f: (x) => x!.cumsum(0), inputs: [draw(500, 7)] },
    ],
    cases: ["cumsum-axis"],
  },
  cumprod: {
    samples: along(
      (x, axis) => x.cumprod(axis),
      running((a, b) => a * b, 1),
      withZeros,
    ),
    float32Units: 24,
    rounding: () => [
      use(
        (x) => x!.cumprod(1),
        multiplied(50, (x) => x!.cumprod(1)),
        draw(20, 50).mul(0.1).add(1),
      ),
    ],
    real: () => [{ f: (x) => x!.cumprod(1), inputs: [draw(20, 50).mul(0.1).add(1)] }],
    cases: ["cumprod-zeros"],
  },
  matmul: {
    samples: factors,
    float32Units: 16,
    rounding: () => [
      use(
        (a, b) => matmul(a!, b!),
        (a, b) => matmul(a!.abs(), b!.abs()).mul(Math.sqrt(300)),
        draw(70, 300),
        draw(300, 50),
      ),
      use(
        (a, b) => matmul(a!, b!, { transposeA: true, transposeB: true }),
        (a, b) => matmul(a!.abs(), b!.abs(), { transposeA: true, transposeB: true }).mul(Math.sqrt(70)),
        draw(70, 33),
        draw(17, 70),
      ),
    ],
    real: () => [
      { f: (a, b) => matmul(a!, b!), inputs: [draw(8, 64, 96), draw(96, 48)] },
      {
        f: (a, b) => matmul(a!, b!, { transposeA: true, transposeB: true }),
        inputs: [draw(70, 300), draw(50, 70)],
      },
    ],
    cases: ["matmul-broadcast-batch"],
  },
  softmax: lastAxis((x) => x.softmax(), {
    fusedGradient: 0,
    rounding: () => [use((x) => x!.softmax(), exponentials, draw(40, 130).mul(3))],
    twins: () => [
      {
        ...use((x) => x!.softmax(), exponentials, draw(30, 65)),
        twin: (x) => {
          const powers = x!.sub(x!.max(-1, { keepDims: true }).detach()).exp();
          return powers.div(powers.sum(-1, { keepDims: true }));
        },
      },
    ],
    real: () => [
      { f: (x) => x!.softmax(), inputs: [draw(40, 130)] },
      { f: (x) => x!.softmax(0), inputs: [draw(130, 40)] },
    ],
  }),
  logSoftmax: lastAxis((x) => x.logSoftmax(), {
    fusedGradient: 0,
    rounding: () => [use((x) => x!.logSoftmax(), logarithms, draw(40, 130).mul(3))],
    twins: () => [
      {
        ...use((x) => x!.logSoftmax(), logarithms, draw(30, 65)),
        twin: (x) => x!.sub(x!.exp().sum(-1, { keepDims: true }).log()),
      },
    ],
    real: () => [{ f: (x) => x!.logSoftmax(), inputs: [draw(40, 130)] }],
  }),
  normalize: {
    samples: shapes({ minRank: 1, minSize: 2, maxSize: 4 }).chain((dims) =>
      distinct(dims).map((x) => ({ f: (...xs: Tensor[]) => xs[0]!.normalize(), inputs: [x] })),
    ),
    batches: true,
    /** The gradient is divided by the spread, which is 0.1 at least. */
    float32Units: 80,
    fusedGradient: 2e-6,
    rounding: () => [use((x) => x!.normalize(), normalBound, draw(60, 64))],
    twins: () => [
      {
        ...use((x) => normalize(x!, { eps: 0.1 }), normalBound, draw(60, 64)),
        twin: (x) => composedNormalize(x!),
      },
    ],
    real: () => [{ f: (x) => x!.normalize(), inputs: [draw(60, 64)] }],
    cases: ["layernorm-large-mean"],
    reasons: { 0: notWhole },
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
    rounding: () => [
      use(
        (x) => x!.cholesky(),
        (x) => {
          const l = x!.cholesky();
          const n = x!.shape.at(-1)!;
          return l.abs().matmul(l.abs(), { transposeB: true }).mul(Math.sqrt(n));
        },
        symmetric(positiveDefinite(draw(4, 24, 24))),
      ),
    ],
    real: () => [{ f: (x) => positiveDefinite(x!).cholesky(), inputs: [draw(4, 24, 24)] }],
    reasons: { 0: "square roots and quotients of whole numbers are not whole" },
  },
  solveTriangular: {
    samples: systems,
    float32Units: 24,
    rounding: () => [
      use(
        (a, b) => solveTriangular(a!, b!),
        (a, b) =>
          a!
            .abs()
            .matmul(solveTriangular(a!, b!).abs())
            .mul(Math.sqrt(a!.shape.at(-1)!)),
        triangular(draw(4, 24, 24)),
        draw(4, 24, 3),
      ),
    ],
    real: () => [
      { f: (a, b) => solveTriangular(triangular(a!), b!), inputs: [draw(4, 24, 24), draw(4, 24, 3)] },
      {
        f: (a, b) => solveTriangular(triangular(a!), b!, { upper: true, transpose: true }),
        inputs: [draw(4, 24, 24), draw(4, 24, 3)],
      },
    ],
    reasons: { 0: "quotients of whole numbers are not whole" },
  },
};

/** Numbers of which no two are nearer than 1/100. */
function spread(...shape: number[]): Tensor {
  const length = shape.reduce((a, b) => a * b, 1);
  const values = Float64Array.from(generator("spread").permutation(length), (place) => place / 100 - 40);
  return tensor(values, { shape });
}

function symmetric(x: Tensor): Tensor {
  const single = x.cast("float32").cast("float64");
  return single.tril().add(single.tril(-1).transpose());
}

function extremum(f: Reduce, loop: OfList): Subject {
  const samples = reduction(f, loop, distinct, notEmpty);
  return {
    samples,
    whole: ranked(samples),
    float32Units: 24,
    rounding: () => [
      use(
        (x) => f(x!, [1], { keepDims: false }),
        (x) => x!.sum(1).mul(0),
        draw(30, 300),
      ),
    ],
    real: () => [{ f: (x) => f(x!, [0], { keepDims: false }), inputs: [spread(300, 30)] }],
  };
}

export const reductionRows: readonly Row[] = Object.entries(subjects).map(([name, subject]) =>
  operationRow(name, "reduction", [`rule ${name}`, `autograd ${name}`], subject),
);
