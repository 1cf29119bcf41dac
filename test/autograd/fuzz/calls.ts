import fc from "fast-check";
import { tensor, Tensor } from "../../../src/autograd/index.js";
import { generator } from "../../../src/random/index.js";
import { isFloating } from "../../../src/tensor/index.js";
import { dtypes, shapes, sizeOf } from "../arbitraries.js";

/** Numbers that functions stumble over. */
const awkward = fc.constantFrom(
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  3,
  NaN,
  Infinity,
  -Infinity,
  1e-45,
  1e38,
  1e300,
  2 ** 31,
  -(2 ** 31),
  2 ** 53,
);
/** Ends of a range that are near, or so far that nothing can hold it. */
const bounds = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(NaN, Infinity, 1e300));
const anything = fc.constantFrom<unknown>(
  undefined,
  null,
  "x",
  "",
  {},
  [],
  [[]],
  true,
  1n,
  () => 1,
  new Map(),
  NaN,
  -1,
  1.5,
);

/** Tensors of any shape and type, holding awkward numbers, some asking for gradients. */
export const tensors = fc.tuple(shapes(), dtypes, fc.boolean()).chain(([shape, dtype, grad]) =>
  fc
    .array(awkward, { minLength: sizeOf(shape), maxLength: sizeOf(shape) })
    .map((list) => tensor(Float64Array.from(list), { shape }).cast(dtype))
    .map((x) => (grad && isFloating(x.dtype) ? new Tensor(x.array, true) : x)),
);

const data: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 12, arbitrary: tensors },
  { weight: 2, arbitrary: awkward },
  { weight: 2, arbitrary: fc.array(fc.oneof(awkward, fc.boolean()), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(Float64Array.of(1, 2), Int32Array.of(0, 1), new Int8Array(2)) },
  { weight: 1, arbitrary: anything },
);
/** Stacks of matrices, most of them square. */
const matrices = fc
  .tuple(fc.constantFrom([2, 2], [1, 1], [2, 2, 2], [0, 0], [2, 1], [3, 2, 0]), dtypes)
  .chain(([shape, dtype]) =>
    fc
      .array(awkward, { minLength: sizeOf(shape), maxLength: sizeOf(shape) })
      .map((list) => tensor(Float64Array.from(list), { shape }).cast(dtype)),
  );
const system = fc.oneof(matrices, data);
const bit = fc.option(fc.boolean(), { nil: undefined });
const triangle = fc.record({ upper: bit, transpose: bit });
const int = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }) }, awkward, anything);
const axis = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 6, arbitrary: fc.integer({ min: -3, max: 3 }) },
  { weight: 1, arbitrary: anything },
);
const axes = fc.oneof(
  axis,
  fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 3 }),
  fc.array(int, { maxLength: 2 }),
);
const sizes = fc.oneof(
  { weight: 6, arbitrary: shapes() },
  { weight: 2, arbitrary: fc.array(fc.integer({ min: -2, max: 6 }), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(awkward, { maxLength: 2 }) },
  { weight: 1, arbitrary: anything },
);
const keep = fc.record({ keepDims: bit });
const dtype = fc.oneof({ weight: 4, arbitrary: dtypes }, { weight: 1, arbitrary: anything });
const creation = fc.record({ dtype: fc.option(dtypes, { nil: undefined }), requiresGrad: bit });
const lists = fc.oneof(
  { weight: 5, arbitrary: fc.array(data, { maxLength: 3 }) },
  { weight: 1, arbitrary: anything },
);
const range = fc.oneof(int, fc.constant(null), fc.array(fc.oneof(int, fc.constant(null)), { maxLength: 4 }));
const indices = fc.oneof(data, fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 4 }));
const rng = fc.constant(generator("fuzz"));

const unary = fc.tuple(data);
const binary = fc.tuple(data, data);
const reduce = fc.tuple(data, axes, keep);

/** What every public function is called with. */
export const calls: Readonly<Record<string, fc.Arbitrary<unknown[]>>> = {
  ...Object.fromEntries(
    [
      ...[
        "neg",
        "abs",
        "sign",
        "square",
        "sqrt",
        "reciprocal",
        "exp",
        "log",
        "log1p",
        "expm1",
        "sin",
        "cos",
        "tanh",
      ],
      ...["sigmoid", "relu", "softplus", "erf", "isNaN", "isFinite", "logicalNot", "stopGradient"],
      ...["asTensor", "zerosLike", "onesLike"],
    ].map((name) => [name, unary]),
  ),
  ...Object.fromEntries(
    [
      ...[
        "add",
        "sub",
        "mul",
        "div",
        "scale",
        "pow",
        "maximum",
        "minimum",
        "equal",
        "notEqual",
        "less",
        "lessEqual",
      ],
      ...["greater", "greaterEqual", "logicalAnd", "logicalOr"],
    ].map((name) => [name, binary]),
  ),
  ...Object.fromEntries(
    ["sum", "mean", "max", "min", "prod", "norm", "logsumexp"].map((name) => [name, reduce]),
  ),
  variance: fc.tuple(
    data,
    axes,
    fc.record({ keepDims: bit, correction: fc.constantFrom(0, 1, 2, 0.5, NaN) }),
  ),
  std: fc.tuple(data, axes, fc.record({ keepDims: bit, correction: fc.constantFrom(0, 1, undefined) })),
  argmax: fc.tuple(data, axis, keep),
  argmin: fc.tuple(data, axis, keep),
  cumsum: fc.tuple(data, axis),
  cumprod: fc.tuple(data, axis),
  softmax: fc.tuple(data, axis),
  logSoftmax: fc.tuple(data, axis),
  normalize: fc.tuple(data, fc.record({ axis: fc.integer({ min: -3, max: 3 }), eps: awkward })),
  gelu: fc.tuple(data, fc.record({ approximate: fc.constantFrom("none", "tanh", undefined) })),
  clip: fc.tuple(data, awkward, awkward),
  where: fc.tuple(
    fc.oneof(
      data,
      tensors.map((x) => x.greater(0)),
    ),
    data,
    data,
  ),
  cast: fc.tuple(data, dtype),
  reshape: fc.tuple(data, sizes),
  expand: fc.tuple(data, sizes),
  permute: fc.tuple(data, axes),
  transpose: fc.tuple(data, axis, axis),
  squeeze: fc.tuple(data, axes),
  unsqueeze: fc.tuple(data, int),
  flip: fc.tuple(data, axes),
  tril: fc.tuple(data, int),
  triu: fc.tuple(data, int),
  slice: fc.tuple(data, fc.oneof(fc.array(range, { maxLength: 4 }), anything)),
  gather: fc.tuple(data, indices, axis),
  takeAlongAxis: fc.tuple(data, indices, axis),
  scatterAdd: fc.oneof(
    fc.tuple(data, indices, data, axis),
    matrices.map((x) => [x, Array.from({ length: x.shape[0]! }, (_, i) => i >> 1), x, 0]),
  ),
  concat: fc.tuple(lists, axis),
  stack: fc.tuple(lists, axis),
  split: fc.tuple(data, fc.oneof(int, sizes), axis),
  pad: fc.tuple(
    data,
    fc.oneof(fc.array(fc.array(int, { maxLength: 3 }), { maxLength: 3 }), anything),
    awkward,
  ),
  matmul: fc.tuple(data, data, fc.record({ transposeA: bit, transposeB: bit })),
  einsum: fc.oneof(
    fc.tuple(
      fc.oneof(
        fc.constantFrom("ij,jk->ik", "i,i", "ii", "ij->j", "->", ",", "ij,ij,j"),
        fc.string({ maxLength: 5 }),
        anything,
      ),
      data,
      data,
    ),
    fc.tuple(matrices, fc.constantFrom("", "->", "->i", "->ji")).map(([x, output]) => {
      const letters = "ijk".slice(0, x.rank);
      return [`${letters},${letters}${output}`, x, x];
    }),
  ),
  cholesky: fc.tuple(system),
  svd: fc.tuple(system),
  solveTriangular: fc.oneof(
    fc.tuple(system, system, triangle),
    fc.tuple(matrices, triangle).map(([x, options]) => [x, x, options]),
  ),
  tensor: fc.tuple(
    data,
    fc.record({
      dtype: fc.option(dtypes, { nil: undefined }),
      shape: fc.option(shapes(), { nil: undefined }),
    }),
  ),
  zeros: fc.tuple(sizes, creation),
  ones: fc.tuple(sizes, creation),
  full: fc.tuple(sizes, fc.oneof(awkward, anything), creation),
  arange: fc.tuple(
    bounds,
    fc.option(bounds, { nil: undefined }),
    fc.constantFrom(1, -1, 0.5, 0, NaN),
    creation,
  ),
  linspace: fc.tuple(awkward, awkward, int, creation),
  eye: fc.tuple(int, int, creation),
  randomUniform: fc.tuple(rng, sizes, fc.record({ low: awkward, high: awkward })),
  randomNormal: fc.tuple(rng, sizes, fc.record({ mean: awkward, std: awkward })),
  randomIntegers: fc.tuple(rng, sizes, awkward, awkward),
  randomPermutation: fc.tuple(rng, int),
  gradients: fc.tuple(tensors, fc.array(tensors, { maxLength: 2 })),
};
