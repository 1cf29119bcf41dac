import { randomUniform, tensor, type Tensor } from "../../../../src/autograd/index.js";
import {
  Dropout,
  Embedding,
  LayerNorm,
  Linear,
  PositionEmbedding,
  Sequential,
} from "../../../../src/nn/index.js";
import { generator } from "../../../../src/random/index.js";
import { checkEquivariance, checkSameFunction } from "../../../../src/testing/index.js";
import { permutation } from "../../checks/permutation.js";
import { layerRow, seeded } from "../../layer-row.js";
import { moduleSample, normals, scrambled, stream } from "../../module-sample.js";
import { layerOracles } from "../../oracle/layer-oracles.js";
import { check, property, type Row } from "../../row.js";
import type { Sample } from "../../sample.js";
import { at, built } from "../../../autograd/values/naive.js";

const dtype = "float64";
const notWhole = "means, roots and random numbers are not whole";
const untrained = "the models of the rows GRU and TransformerBlock contain it and are trained";
const noTwin = "has no other form: level 3 and the oracle";

/** x·Wᵀ + b, written out; parameters as Linear has them. */
const linearLoop = (x: Tensor, w: Tensor, b: Tensor | undefined): Tensor =>
  built([...x.shape.slice(0, -1), w.shape[0]!], (index) => {
    const [rows, j] = [index.slice(0, -1), index.at(-1)!];
    let sum = b ? at(b, [j]) : 0;
    for (let i = 0; i < w.shape[1]!; i++) sum += at(x, [...rows, i]) * at(w, [j, i]);
    return sum;
  });

const linear = (rows: readonly number[], inputs: number, outputs: number, bias: boolean, seed: number) => {
  const module = scrambled(
    new Linear(inputs, outputs, { rng: stream(seed, "w"), dtype, bias }),
    stream(seed, "p"),
  );
  return {
    module,
    ...moduleSample(module, (x) => module.forward(x!), [normals(stream(seed, "x"), [...rows, inputs])]),
  };
};

const linearSamples = seeded(
  { rows: [[3], [2, 2], [1]], inputs: [1, 2, 4], outputs: [1, 3], bias: [true, true, false] },
  ({ rows, inputs, outputs, bias }, seed) => ({
    ...linear(rows, inputs, outputs, bias, seed),
    naive: (x, w, b) => linearLoop(x!, w!, b),
  }),
);

const norm = (shape: readonly number[], eps: number, seed: number): Sample & { module: LayerNorm } => {
  const module = scrambled(new LayerNorm(shape.at(-1)!, { eps, dtype }), stream(seed, "p"));
  return { module, ...moduleSample(module, (x) => module.forward(x!), [normals(stream(seed, "x"), shape)]) };
};

/** Entries at least a distance apart: a row without spread has no derivative to compare. */
const spread = (x: Tensor): Tensor =>
  x.add(
    tensor(
      Float64Array.from({ length: x.size }, (_, i) => 1.5 * (i % x.shape.at(-1)!)),
      { shape: x.shape },
    ),
  );

const normSamples = seeded(
  { shape: [[2, 3], [5], [2, 2, 4]], eps: [1e-5, 0.1], affine: [true, true, false] },
  ({ shape, eps, affine }, seed) => {
    const { module, f, inputs } = norm(shape, eps, seed);
    const [x, ...rest] = inputs as [Tensor, ...Tensor[]];
    if (affine) return { f, inputs: [spread(x), ...rest] };
    const plain = new LayerNorm(module.features, { eps, affine, dtype });
    return { f: (x) => plain.forward(x!), inputs: [spread(x)] };
  },
);

const embedding = (count: number, features: number, indices: Tensor, seed: number): Sample => {
  const module = scrambled(
    new Embedding(count, features, { rng: stream(seed, "w"), dtype }),
    stream(seed, "p"),
  );
  return moduleSample(module, () => module.forward(indices), []);
};

const embeddingSamples = seeded(
  { indices: [[2, 0, 2], [1], [3, 3, 3, 0]], features: [1, 3] },
  ({ indices, features }, seed) => ({
    ...embedding(4, features, tensor(Int32Array.from(indices)), seed),
    naive: (w) => built([indices.length, features], ([i, j]) => at(w!, [indices[i!]!, j!])),
  }),
);

const position = (shape: readonly number[], length: number, seed: number): Sample => {
  const module = scrambled(
    new PositionEmbedding(length, shape.at(-1)!, { rng: stream(seed, "w"), dtype }),
    stream(seed, "p"),
  );
  return moduleSample(module, (x) => module.forward(x!), [normals(stream(seed, "x"), shape)]);
};

const positionSamples = seeded(
  {
    shape: [
      [2, 3, 2],
      [3, 2],
      [2, 1, 4],
    ],
    more: [0, 2],
  },
  ({ shape, more }, seed) => {
    const n = shape.at(-2)!;
    return {
      ...position(shape, n + more, seed),
      naive: (x, w) => built(shape, (index) => at(x!, index) + at(w!, index.slice(-2))),
    };
  },
);

/** Dropout in training, with the same draws each time it is called. */
const dropped = (p: number, seed: number) => (x: Tensor) =>
  new Dropout({ p, rng: generator(seed) }).forward(x);

const dropoutSamples = seeded(
  { shape: [[2, 3], [7], [1, 2, 2]], p: [0.5, 0.5, 0.75] },
  ({ shape, p }, seed) => ({
    f: (x) => dropped(p, seed)(x!),
    inputs: [normals(stream(seed, "x"), shape)],
    naive: (x) => {
      const draws = randomUniform(generator(seed), shape, { dtype });
      return built(shape, (index) => (at(draws, index) >= p ? at(x!, index) / (1 - p) : 0));
    },
  }),
);

const sequence = (
  rows: readonly number[],
  widths: readonly [number, number, number],
  seed: number,
): Sample => {
  const rng = stream(seed, "w");
  const [one, two, three] = widths;
  const module = scrambled(
    new Sequential([
      new Linear(one, two, { rng, dtype }),
      new LayerNorm(two, { dtype, eps: 0.1 }),
      (x: Tensor) => x.tanh(),
      new Linear(two, three, { rng, dtype }),
    ]),
    stream(seed, "p"),
  );
  return moduleSample(module, (x) => module.forward(x!), [normals(stream(seed, "x"), [...rows, one])]);
};

/** The same computed layer by layer. */
const byHand = (...[x, w1, b1, weight, bias, w2, b2]: Tensor[]): Tensor =>
  x!
    .matmul(w1!.transpose())
    .add(b1!)
    .normalize({ eps: 0.1 })
    .mul(weight!)
    .add(bias!)
    .tanh()
    .matmul(w2!.transpose())
    .add(b2!);

const sequenceSamples = seeded({ rows: [[2], [2, 3]] }, ({ rows }, seed) => sequence(rows, [3, 4, 2], seed));

const three = (seed: number, shape: readonly number[]): Tensor[][] =>
  ["a", "b", "c"].map((name) => [normals(stream(seed, name), shape)]);

export const layerRows: readonly Row[] = [
  layerRow("Linear", "layer", ["nn Linear"], {
    samples: linearSamples,
    records: "affine",
    real: () => [linear([32 * 64], 64, 192, true, 1), linear([32, 64], 32, 64, false, 2)],
    batch: () => ({ f: (x) => linear([2], 5, 3, true, 3).module.forward(x!), singles: three(3, [2, 5]) }),
    twins: () =>
      [1, 2].map((seed) => ({
        ...linear([8], 33, 5, true, seed),
        twin: (x, w, b) => x!.matmul(w!.transpose()).add(b!),
        bound: (x, w, b) => x!.abs().matmul(w!.abs().transpose()).add(b!.abs()).mul(Math.sqrt(34)),
      })),
    further: { 8: layerOracles.linear },
    reasons: { 10: untrained },
  }),
  layerRow("LayerNorm", "layer", ["nn LayerNorm"], {
    samples: normSamples,
    records: "layerNorm",
    real: () => [norm([32, 64, 64], 1e-5, 1)],
    float32At: () => [norm([32, 64], 1e-5, 2)],
    batch: () => ({ f: (x) => norm([5], 1e-5, 3).module.forward(x!), singles: three(3, [2, 5]) }),
    twins: () =>
      [1, 2].map((seed) => ({
        ...norm([8, 33], 1e-5, seed),
        twin: (x, w, b) => x!.normalize({ eps: 1e-5 }).mul(w!).add(b!),
        bound: (x, w, b) =>
          x!.normalize({ eps: 1e-5 }).mul(w!).abs().add(b!.abs()).add(w!.abs()).mul(Math.sqrt(33)),
      })),
    fusedGradient: 4e-6,
    fused: true,
    cases: ["layernorm-large-mean"],
    further: { 8: layerOracles.layerNorm },
    reasons: { 0: notWhole, 10: untrained },
  }),
  layerRow("Embedding", "layer", ["nn Embedding"], {
    samples: embeddingSamples,
    records: "gather",
    real: () => [embedding(1000, 64, tensor(generator(1).integers(0, 1000, 2048)), 1)],
    cases: ["gather-duplicates"],
    further: {
      8: layerOracles.embedding,
    },
    reasons: { 2: noTwin, 10: untrained },
  }),
  layerRow("PositionEmbedding", "layer", ["nn PositionEmbedding"], {
    samples: positionSamples,
    records: "add",
    real: () => [position([32, 64, 64], 64, 1)],
    batch: () => ({
      f: (x) => {
        const module = scrambled(new PositionEmbedding(6, 3, { rng: generator(1), dtype }), generator(2));
        return module.forward(x!);
      },
      singles: three(4, [5, 3]),
    }),
    reasons: { 2: noTwin, 8: "a sum, which level 0 has exactly", 10: untrained },
  }),
  layerRow("Dropout", "layer", ["nn Dropout"], {
    samples: dropoutSamples,
    records: "where",
    real: () => [{ f: (x) => dropped(0.1, 3)(x!), inputs: [normals(generator(4), [32, 64, 64])] }],
    further: {
      7: [
        check("in evaluation passes its input on", () =>
          checkSameFunction(
            (x) => new Dropout({ p: 0.7, rng: generator(5) }).eval().forward(x!),
            [normals(generator(6), [3, 4])],
            { twin: (x) => x!.mul(1), tolerance: 0 },
          ),
        ),
      ],
    },
    reasons: { 2: noTwin, 8: "draws of its own stream, which no other library makes", 10: untrained },
  }),
  layerRow("Sequential", "layer", ["nn Sequential"], {
    samples: sequenceSamples,
    fused: true,
    records: "layerNorm",
    real: () => [sequence([256], [32, 64, 16], 1)],
    further: {
      2: [
        property("its stages one after the other", sequenceSamples, ({ f, inputs }) =>
          checkSameFunction(f, inputs, { twin: byHand, tolerance: 1e-12 }),
        ),
      ],
      7: [
        check("does not see the order of a batch", () => {
          const { f, inputs } = sequence([5], [3, 4, 2], 7);
          return checkEquivariance(
            (x) => f(x!, ...inputs.slice(1)),
            [inputs[0]!],
            permutation(0, [3, 0, 4, 1, 2], 1e-13),
          );
        }),
      ],
    },
    reasons: { 0: notWhole, 8: "its stages have theirs", 10: untrained },
  }),
];
