import fc from "fast-check";
import { tensor, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import {
  Embedding,
  GRU,
  GRUCell,
  LayerNorm,
  Linear,
  MultiHeadAttention,
  TransformerBlock,
  type Module,
} from "../../nn/index.js";
import { generator } from "../../random/index.js";
import { domains } from "./numbers.js";
import { parseSignature, sizesOf } from "../signature.js";
import { inputs, type InputsOptions } from "./tensors.js";

/** The kinds of {@link layers}. */
export type LayerKind =
  "Linear" | "LayerNorm" | "Embedding" | "GRUCell" | "GRU" | "MultiHeadAttention" | "TransformerBlock";

/** A layer with random parameters and inputs that fit it. */
export interface DrawnLayer {
  readonly kind: LayerKind;
  readonly module: Module;
  /** The inputs of `forward`. */
  readonly inputs: readonly Tensor[];
  /** The layer as a function of its inputs; of what gives several results, the first. */
  readonly forward: (...inputs: Tensor[]) => Tensor;
  toString(): string;
}

interface Kind {
  /** The inputs, then every parameter in the order in which the layer lists them. */
  readonly signature: string;
  readonly inputs: number;
  readonly options?: InputsOptions;
  build(sizes: Readonly<Record<string, number>>): {
    module: Module;
    forward: DrawnLayer["forward"];
    text: string;
  };
}

/** Values are replaced by what was drawn; the stream is there because constructors demand one. */
const init = () => ({ rng: generator(0), dtype: "float64" }) as const;

function built<M extends Module>(
  module: M,
  text: string,
  forward: (module: M, ...xs: Tensor[]) => Tensor,
): ReturnType<Kind["build"]> {
  return { module, text, forward: (...xs) => forward(module, ...xs) };
}

const kinds: Readonly<Record<LayerKind, Kind>> = {
  Linear: {
    signature: "(...,i),(o,i),(o)",
    inputs: 1,
    build: ({ i, o }) =>
      built(new Linear(i!, o!, init()), `Linear(${i}, ${o})`, (layer, x) => layer.forward(x!)),
  },
  LayerNorm: {
    signature: "(...,f),(f),(f)",
    inputs: 1,
    // Where all features are equal the derivative changes within 1e-3, too fast for differences.
    options: { apart: [0.2, 0, 0] },
    build: ({ f }) =>
      built(new LayerNorm(f!, { dtype: "float64" }), `LayerNorm(${f})`, (layer, x) => layer.forward(x!)),
  },
  Embedding: {
    signature: "(...),(c,f)",
    inputs: 1,
    options: { dtype: ["int32", "float64"], elements: [domains.whole, domains.real] },
    build: ({ c, f }) =>
      built(new Embedding(c!, f!, init()), `Embedding(${c}, ${f})`, (layer, x) => layer.forward(x!)),
  },
  GRUCell: {
    signature: "(b,i),(b,h),(3*h,i),(3*h,h),(3*h),(3*h)",
    inputs: 2,
    build: ({ i, h }) =>
      built(new GRUCell(i!, h!, init()), `GRUCell(${i}, ${h})`, (layer, x, state) =>
        layer.forward(x!, state),
      ),
  },
  GRU: {
    signature: "(b,t,i),(1,b,h),(3*h,i),(3*h,h),(3*h),(3*h)",
    inputs: 2,
    build: ({ i, h }) =>
      built(new GRU(i!, h!, init()), `GRU(${i}, ${h})`, (layer, x, state) => layer.forward(x!, state).output),
  },
  MultiHeadAttention: {
    signature: "(b,n,2*d),(3*2*d,2*d),(3*2*d),(2*d,2*d),(2*d)",
    inputs: 1,
    options: { maxSize: 3 },
    build: ({ d }) =>
      built(new MultiHeadAttention(2 * d!, 2, init()), `MultiHeadAttention(${2 * d!}, 2)`, (layer, x) =>
        layer.forward(x!),
      ),
  },
  TransformerBlock: {
    signature:
      "(b,n,2*d),(3*2*d,2*d),(3*2*d),(2*d,2*d),(2*d),(w,2*d),(w),(2*d,w),(2*d),(2*d),(2*d),(2*d),(2*d)",
    inputs: 1,
    options: { maxSize: 2, apart: [0.2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
    build: ({ d, w }) =>
      built(
        new TransformerBlock(2 * d!, { heads: 2, feedForward: w!, ...init() }),
        `TransformerBlock(${2 * d!}, { heads: 2, feedForward: ${w} })`,
        (layer, x) => layer.forward(x!),
      ),
  },
};

/** Every kind of layer that {@link layers} draws. */
export const layerKinds = Object.keys(kinds) as LayerKind[];

/**
 * Small layers in float64 with random parameters (norms and biases too, which start from ones and zeros otherwise) and inputs. A
 * failure shrinks the sizes of the layer, dropping slices of inputs and parameters together, and then the numbers in them.
 *
 * @throws E_VALUE for a kind that there is not
 */
export function layers(only: readonly LayerKind[] = layerKinds): fc.Arbitrary<DrawnLayer> {
  if (only.length === 0) fail("E_VALUE", "layers: expected at least one kind of layer");
  return fc.oneof(...only.map(layersOf));
}

function layersOf(name: LayerKind): fc.Arbitrary<DrawnLayer> {
  if (!Object.hasOwn(kinds, name))
    fail("E_VALUE", `layers: there is no kind ${String(name)}; expected one of ${layerKinds.join(", ")}`);
  const kind = kinds[name];
  const signature = parseSignature(kind.signature);
  return inputs(kind.signature, { maxSize: 3, elements: domains.real, ...kind.options }).map((drawn) => {
    const { module, forward, text } = kind.build(
      sizesOf(
        signature,
        drawn.map((x) => x.shape),
      ),
    );
    const parameters = module.parameters();
    parameters.forEach((parameter, i) => parameter.assign(drawn[kind.inputs + i]!));
    const given = drawn
      .slice(0, kind.inputs)
      .map((x) => (name === "Embedding" ? rows(x, parameters[0]!) : x));
    return {
      kind: name,
      module,
      inputs: given,
      forward,
      toString: () =>
        [
          `${text}.forward(${given.join(", ")}) with`,
          ...module
            .namedParameters()
            .map(([parameter, value]) => `  ${parameter} = ${String(value.detach())}`),
        ].join("\n"),
    };
  });
}

/** Whole numbers as rows of a table. */
function rows(x: Tensor, table: Tensor): Tensor {
  const count = table.shape[0]!;
  return tensor(
    (x.values() as Int32Array).map((v) => ((v % count) + count) % count),
    { shape: x.shape },
  );
}
