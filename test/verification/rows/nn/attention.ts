import { tensor, type Tensor } from "../../../../src/autograd/index.js";
import {
  attention,
  MultiHeadAttention,
  TransformerBlock,
  type AttentionOptions,
  type MaskOptions,
} from "../../../../src/nn/index.js";
import { composedSoftmaxAttention } from "../../../../src/nn/attention/composed-softmax-attention.js";
import {
  checkAdjoint,
  checkCausality,
  checkEquivariance,
  checkSameFunction,
} from "../../../../src/testing/index.js";
import { permutation } from "../../checks/permutation.js";
import { checkTrainedModel } from "../../checks/trained-model.js";
import { layerRow, seeded, type LayerSubject } from "../../layer-row.js";
import { moduleSample, normals, scrambled, stream } from "../../module-sample.js";
import { layerOracles } from "../../oracle/layer-oracles.js";
import { check, property, type Row } from "../../row.js";
import type { Function, Sample } from "../../sample.js";

const dtype = "float64";
const notWhole = "exponentials of whole numbers are not whole";
const untrained = "TransformerBlock is trained";

/** A mask of pairs, random but for the first query, which sees nothing. */
function hidden(queries: number, keys: number, seed: number): Tensor {
  const rng = stream(seed, "mask");
  return tensor(
    Uint8Array.from({ length: queries * keys }, (_, i) => (i < keys || rng.uniform() < 0.4 ? 1 : 0)),
    { shape: [queries, keys], dtype: "bool" },
  );
}

interface Sizes {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
}

const inputsOf = ({ batch, heads, queries, keys, width }: Sizes, seed: number): Tensor[] => [
  normals(stream(seed, "q"), [batch, heads, queries, width]),
  normals(stream(seed, "k"), [batch, heads, keys, width]),
  normals(stream(seed, "v"), [batch, heads, keys, width + 1]),
];

const choices = { batch: [1, 2], heads: [1, 2], queries: [1, 2, 4], keys: [1, 3, 4], width: [1, 2] } as const;

type MasksOf = (sizes: Sizes, seed: number) => MaskOptions & Pick<AttentionOptions, "weigh">;

const attentionSamples = (options: MasksOf) =>
  seeded(choices, (sizes, seed) => ({
    f: (q, k, v) => attention(q!, k!, v!, options(sizes, seed)),
    inputs: inputsOf(sizes, seed),
  }));

const realSize: Sizes = { batch: 8, heads: 4, queries: 64, keys: 64, width: 16 };
const atRealSize = (options: MasksOf) => (): readonly Sample[] => [
  { f: (q, k, v) => attention(q!, k!, v!, options(realSize, 1)), inputs: inputsOf(realSize, 1) },
];

/** The masks of `options` as one of all pairs, for the composed form. */
const composed =
  (options: MasksOf, sizes: Sizes, seed: number): Function =>
  (q, k, v) => {
    const { attnMask, causal = false, weigh } = options(sizes, seed);
    const { batch, heads, queries, keys } = sizes;
    const pairs = tensor(
      Uint8Array.from({ length: queries * keys }, (_, i) =>
        causal && i % keys > Math.floor(i / keys) ? 1 : 0,
      ),
      { shape: [queries, keys], dtype: "bool" },
    );
    const all = (attnMask ? pairs.logicalOr(attnMask) : pairs).expand([batch, heads, queries, keys]);
    return composedSoftmaxAttention(q!, k!, v!, all, weigh);
  };

const twins = (options: MasksOf): NonNullable<LayerSubject["further"]>[2] => [
  property(
    "fused against composed",
    seeded(choices, (sizes, seed) => ({
      f: (...xs) => attention(xs[0]!, xs[1]!, xs[2]!, options(sizes, seed)),
      naive: composed(options, sizes, seed),
      inputs: inputsOf(sizes, seed),
    })),
    ({ f, naive, inputs }) => checkSameFunction(f, inputs, { twin: naive!, tolerance: 1e-13 }),
  ),
];

/** In another order of keys and values the same, and of queries in that order. */
const permutes = check("keys in another order change nothing, queries are answered in their order", () => {
  const [q, k, v] = inputsOf({ batch: 2, heads: 2, queries: 5, keys: 5, width: 3 }, 4) as [
    Tensor,
    Tensor,
    Tensor,
  ];
  const order = [3, 0, 4, 1, 2];
  const rows = tensor(Int32Array.from(order));
  return [
    checkEquivariance((x) => attention(x!, k, v), [q], permutation(2, order, 1e-13)),
    checkSameFunction((q) => attention(q!, k.gather(rows, 2), v.gather(rows, 2)), [q], {
      twin: (q) => attention(q!, k, v),
      tolerance: 1e-13,
    }),
  ];
});

const sees = check("an output does not see a later key or value", () =>
  [false, true].map((single) => {
    const x = normals(stream(5, "x"), [2, 2, 6, 4]).cast(single ? "float32" : "float64");
    return checkCausality((x) => attention(x!, x!, x!, { causal: true }), [x], { axis: 2 });
  }),
);

/** q, k and v with a batch before the heads or without one. */
const withoutBatch: Function = (...xs) =>
  xs[0]!.rank === 3
    ? attention(xs[0]!.unsqueeze(0), xs[1]!.unsqueeze(0), xs[2]!.unsqueeze(0)).squeeze(0)
    : attention(xs[0]!, xs[1]!, xs[2]!);

const plain: MasksOf = () => ({});
const masked: MasksOf = ({ queries, keys }, seed) => ({
  attnMask: hidden(queries, keys, seed),
  causal: seed % 2 === 0,
});
const weighed: MasksOf = (sizes, seed) => ({
  ...masked(sizes, seed),
  weigh: (weights) => weights.mul(weights.add(0.5)),
});

interface HeadSizes {
  readonly batch: number;
  readonly n: number;
  readonly heads: number;
  readonly width: number;
  readonly bias?: boolean;
}

function heads(
  sizes: HeadSizes,
  masks: MaskOptions,
  cross: boolean,
  seed: number,
): Sample & { module: MultiHeadAttention } {
  const { batch, n, width, bias = true } = sizes;
  const features = sizes.heads * width;
  const module = scrambled(
    new MultiHeadAttention(features, sizes.heads, { rng: stream(seed, "w"), dtype, bias }),
    stream(seed, "p"),
    1 / Math.sqrt(features),
  );
  const draw = (name: string, length: number): Tensor =>
    normals(stream(seed, name), [batch, length, features]);
  const inputs = cross ? [draw("q", n), draw("k", n + 1), draw("v", n + 1)] : [draw("x", n)];
  const call: Function = (q, key, value) =>
    module.forward(q!, { ...masks, ...(key && { key }), ...(value && { value }) });
  return { module, ...moduleSample(module, call, inputs) };
}

const headChoices = {
  batch: [1, 2],
  n: [1, 3],
  heads: [1, 2],
  width: [1, 2],
  bias: [true, true, false],
} as const;

/** Head by head from the projections, in operations. */
const byHand =
  (count: number): Function =>
  (x, w, b, outW, outB) => {
    const [batch, n, features] = x!.shape as [number, number, number];
    const parts = x!.matmul(w!.transpose()).add(b!).split(3, 2);
    const [q, k, v] = parts.map((part) =>
      part.reshape([batch, n, count, features / count]).permute([0, 2, 1, 3]),
    );
    const joined = composedSoftmaxAttention(q!, k!, v!, undefined)
      .permute([0, 2, 1, 3])
      .reshape([batch, n, features]);
    return joined.matmul(outW!.transpose()).add(outB!);
  };

function block(
  sizes: HeadSizes & { readonly feedForward: number },
  masks: MaskOptions,
  activation: "gelu" | "relu",
  seed: number,
): Sample & { module: TransformerBlock } {
  const { batch, n, width, feedForward } = sizes;
  const features = sizes.heads * width;
  const module = scrambled(
    new TransformerBlock(features, {
      rng: stream(seed, "w"),
      dtype,
      heads: sizes.heads,
      feedForward,
      activation,
      eps: 1e-2,
    }),
    stream(seed, "p"),
    1 / Math.sqrt(features),
  );
  const x = normals(stream(seed, "x"), [batch, n, features]);
  return { module, ...moduleSample(module, (x) => module.forward(x!, masks), [x]) };
}

const blockSamples = (masks: MaskOptions, activation: "gelu" | "relu") =>
  seeded({ batch: [1, 2], n: [1, 3], heads: [1, 2], width: [3], feedForward: [1, 4] }, (sizes, seed) =>
    block(sizes, masks, activation, seed),
  );

const tokens = (): Tensor[][] => ["a", "b", "c"].map((name) => [normals(stream(2, name), [5, 6])]);
const oneByOne =
  (forward: (x: Tensor) => Tensor): Function =>
  (x) =>
    x!.rank === 2 ? forward(x!.unsqueeze(0)).squeeze(0) : forward(x!);

const large = { batch: 8, n: 50, heads: 4, width: 8, feedForward: 64 } as const;

export const attentionRows: readonly Row[] = [
  layerRow("attention", "layer", ["nn attention"], {
    samples: attentionSamples(plain),
    records: "attention",
    fused: true,
    fusedGradient: 4e-6,
    real: atRealSize(plain),
    float32At: atRealSize(plain),
    batch: () => ({
      f: withoutBatch,
      singles: [1, 2, 3].map((seed) =>
        inputsOf({ batch: 1, heads: 2, queries: 4, keys: 5, width: 3 }, seed).map((x) => x.squeeze(0)),
      ),
    }),
    further: { 2: twins(plain), 7: [permutes], 8: layerOracles.attention },
    reasons: { 0: notWhole, 10: untrained },
  }),
  layerRow("attention, masked", "layer", ["nn attention"], {
    samples: attentionSamples(masked),
    records: "attention",
    fused: true,
    fusedGradient: 4e-6,
    real: atRealSize(() => ({ causal: true })),
    cases: ["attention-row-fully-masked"],
    further: { 2: twins(masked), 7: [sees] },
    reasons: { 0: notWhole, 8: "the row attention has every mask", 10: untrained },
  }),
  layerRow("attention, weighed", "layer", ["nn attention"], {
    samples: attentionSamples(weighed),
    records: "visibleSum",
    fused: true,
    real: atRealSize(weighed),
    further: { 2: twins(weighed) },
    reasons: { 0: notWhole, 8: "no library has the option", 10: untrained },
  }),
  layerRow("MultiHeadAttention", "layer", ["nn MultiHeadAttention"], {
    samples: seeded(headChoices, (sizes, seed) => heads(sizes, {}, false, seed)),
    records: "headsAttention",
    fused: true,
    real: () => [heads({ batch: 8, n: 64, heads: 4, width: 16 }, {}, false, 1)],
    float32At: () => [heads({ batch: 8, n: 64, heads: 4, width: 16 }, {}, false, 2)],
    batch: () => ({
      f: oneByOne((x) => heads({ batch: 1, n: 5, heads: 2, width: 3 }, {}, false, 3).module.forward(x)),
      singles: tokens(),
    }),
    further: {
      2: [
        property(
          "fused against composed",
          seeded({ batch: [1, 2], n: [1, 4], width: [1, 3] }, (sizes, seed) =>
            heads({ ...sizes, heads: 2 }, {}, false, seed),
          ),
          ({ f, inputs }) => checkSameFunction(f, inputs, { twin: byHand(2), tolerance: 1e-13 }),
        ),
      ],
      7: [
        check("does not see the order of the tokens", () => {
          const { module, inputs } = heads({ batch: 2, n: 5, heads: 2, width: 3 }, {}, false, 5);
          return checkEquivariance(
            (x) => module.forward(x!),
            [inputs[0]!],
            permutation(1, [3, 0, 4, 1, 2], 1e-13),
          );
        }),
      ],
      8: layerOracles.multiHead,
    },
    reasons: { 0: notWhole, 10: untrained },
  }),
  layerRow("MultiHeadAttention, cross and masked", "layer", ["nn MultiHeadAttention"], {
    samples: seeded(headChoices, (sizes, seed) =>
      heads(sizes, { attnMask: hidden(sizes.n, sizes.n + 1, seed) }, true, seed),
    ),
    records: "headsAttention",
    fused: true,
    real: () => [heads({ batch: 8, n: 48, heads: 4, width: 16 }, { causal: true }, true, 1)],
    further: {
      7: [
        check("an output does not see a later token", () => {
          const { module, inputs } = heads({ batch: 2, n: 6, heads: 2, width: 3 }, {}, false, 5);
          return [false, true].map((single) => {
            const typed = single ? module.to("float32") : module;
            const x = single ? inputs[0]!.cast("float32") : inputs[0]!;
            return checkCausality((x) => typed.forward(x!, { causal: true }), [x]);
          });
        }),
      ],
    },
    reasons: {
      0: notWhole,
      2: "the rows attention, masked and MultiHeadAttention compare both halves",
      8: "the row MultiHeadAttention has cross attention under masks",
      10: untrained,
    },
  }),
  layerRow("TransformerBlock", "layer", ["nn TransformerBlock"], {
    samples: blockSamples({}, "gelu"),
    records: "headsAttention",
    float32: 2e-5,
    fused: true,
    real: () => [block(large, {}, "gelu", 1)],
    float32At: () => [block(large, {}, "gelu", 2), block(large, { causal: true }, "gelu", 3)],
    batch: () => ({
      f: oneByOne((x) =>
        block({ batch: 1, n: 5, heads: 2, width: 3, feedForward: 4 }, {}, "gelu", 3).module.forward(x),
      ),
      singles: tokens(),
    }),
    further: {
      7: [
        check("does not see the order of the tokens", () => {
          const { module, inputs } = block(
            { batch: 2, n: 5, heads: 2, width: 3, feedForward: 4 },
            {},
            "gelu",
            5,
          );
          return checkEquivariance(
            (x) => module.forward(x!),
            [inputs[0]!],
            permutation(1, [3, 0, 4, 1, 2], 1e-13),
          );
        }),
      ],
      8: layerOracles.block,
      10: [check("the transformer model", () => checkTrainedModel("transformer_tiny"))],
    },
    reasons: { 0: notWhole, 2: "its parts have their rows; the oracle has the whole" },
  }),
  layerRow("TransformerBlock, causal with relu", "layer", ["nn TransformerBlock"], {
    samples: blockSamples({ causal: true }, "relu"),
    records: "relu",
    float32: 2e-5,
    fused: true,
    further: {
      5: [
        check("adjoint at real sizes, among thousands of kinks", () => {
          const { f, inputs } = block(large, { causal: true }, "relu", 1);
          return checkAdjoint(f, inputs, { scale: "norms", differences: false });
        }),
      ],
      7: [
        check("an output does not see a later token", () => {
          const { module, inputs } = block(
            { batch: 2, n: 6, heads: 2, width: 3, feedForward: 4 },
            {},
            "relu",
            5,
          );
          return [false, true].map((single) => {
            const typed = single ? module.to("float32") : module;
            const x = single ? inputs[0]!.cast("float32") : inputs[0]!;
            return checkCausality((x) => typed.forward(x!, { causal: true }), [x]);
          });
        }),
      ],
    },
    reasons: {
      0: notWhole,
      2: "its parts have their rows; the oracle has the whole",
      8: "the row TransformerBlock has both activations",
      10: "the row TransformerBlock is trained",
    },
  }),
];
