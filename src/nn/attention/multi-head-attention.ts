import { noGrad, zerosLike, type Tensor } from "../../autograd/index.js";
import { checkedOptions, fail, formatGiven } from "../../errors/index.js";
import { checkLastAxis, checkShapeIs } from "../check-input.js";
import { checkSize, type InitOptions } from "../check-options.js";
import { glorotParameter, zeroParameter } from "../initial-values.js";
import { affine } from "../layers/affine.js";
import { Dropout, type DropoutOptions } from "../layers/dropout.js";
import { Linear } from "../layers/linear.js";
import { Module } from "../module.js";
import type { Parameter } from "../parameter.js";
import { KeyValueCache, type AttentionDecoder } from "./attention-decoder.js";
import type { MaskOptions } from "./attention-mask.js";
import { attention } from "./attention.js";
import { headsAttention, joinHeads, partsOf, splitHeads } from "./heads-attention.js";

/** What may stand in for softmax attention: q, k, v `[batch, heads, n, d]` → `[batch, heads, n, d]`. */
export type AttentionCore = (q: Tensor, k: Tensor, v: Tensor) => Tensor;

/** Options of {@link MultiHeadAttention}. */
export interface MultiHeadAttentionOptions extends InitOptions {
  /** Add biases to all four projections. Default true. */
  readonly bias?: boolean;
  /** Dropout on the attention weights in training. */
  readonly dropout?: DropoutOptions | undefined;
  /** Replaces softmax attention; it is given no masks, so that passing one is then an error. */
  readonly attention?: AttentionCore | undefined;
  /** What goes a token at a time as the replaced attention goes through all of them: makes a new one for each sequence. */
  readonly attentionDecoder?: (() => AttentionDecoder) | undefined;
}

/**
 * Attention over several heads, batch first. Parameters as PyTorch's MultiheadAttention: `in_proj_weight` `[3·features, features]`
 * (q, k, v in this order) from U(±√(6/(4·features))), `in_proj_bias` zeros, `out_proj.weight` from U(±1/√features), `out_proj.bias`
 * zeros. Masks mean what they mean there: true hides.
 */
export class MultiHeadAttention extends Module {
  readonly in_proj_weight: Parameter;
  readonly in_proj_bias: Parameter | undefined;
  readonly out_proj: Linear;
  readonly dropout: Dropout | undefined;
  /** Shown q, k and v `[batch, heads, n, d]` of each forward pass, while it is set. */
  onHeads: ((q: Tensor, k: Tensor, v: Tensor) => void) | undefined;
  readonly #core: AttentionCore | undefined;
  readonly #decoder: (() => AttentionDecoder) | undefined;

  constructor(
    readonly features: number,
    readonly heads: number,
    options: MultiHeadAttentionOptions,
  ) {
    super();
    checkedOptions("MultiHeadAttention", options);
    if (options.attention !== undefined && typeof options.attention !== "function")
      fail(
        "E_VALUE",
        `MultiHeadAttention: expected attention to be a function of q, k and v, got ${formatGiven(options.attention)}`,
      );
    if (options.attentionDecoder !== undefined && typeof options.attentionDecoder !== "function")
      fail(
        "E_VALUE",
        `MultiHeadAttention: expected attentionDecoder to be a function that makes one, got ${formatGiven(options.attentionDecoder)}`,
      );
    checkSize("MultiHeadAttention", "features", features);
    checkSize("MultiHeadAttention", "heads", heads);
    if (features % heads !== 0) {
      fail("E_VALUE", `MultiHeadAttention: ${features} features cannot be shared evenly by ${heads} heads`);
    }
    this.in_proj_weight = glorotParameter("MultiHeadAttention", [3 * features, features], options);
    if (options.bias ?? true) this.in_proj_bias = zeroParameter([3 * features], options);
    this.out_proj = new Linear(features, features, options);
    const { bias: shift } = this.out_proj;
    shift?.assign(zerosLike(shift));
    this.dropout = options.dropout && new Dropout(options.dropout);
    this.#core = options.attention;
    this.#decoder = options.attentionDecoder ?? (this.#core ? undefined : () => new KeyValueCache());
  }

  /**
   * query `[batch, queries, features]`, key and value `[batch, keys, features]` (key is query and value is key when left out)
   * → `[batch, queries, features]`. In masks true hides. A query that may look at nothing gives the bias of `out_proj`. What a
   * hidden row of key and value holds changes no bit of the output; pad with finite numbers all the same when training, for the
   * gradient of `in_proj_weight` multiplies every row, and 0·NaN is NaN.
   *
   * @throws E_SHAPE, E_DTYPE for inputs or masks that do not fit, E_VALUE for a mask beside a replaced attention
   */
  forward(query: Tensor, options: AttentionInputs = {}): Tensor {
    checkedOptions("MultiHeadAttention", options);
    const key = options.key ?? query;
    const value = options.value ?? key;
    const axes = ["batch", "n", "features"];
    checkLastAxis("MultiHeadAttention", query, this.features, axes);
    checkLastAxis("MultiHeadAttention", key, this.features, axes);
    checkShapeIs("MultiHeadAttention", "key", key, [query.shape[0]!, key.shape[1]!, this.features]);
    checkShapeIs("MultiHeadAttention", "value", value, key.shape);
    const inputs =
      query === key && key === value
        ? [this.#project(query, 0, 3)]
        : [query, key, value].map((x, part) => this.#project(x, part, 1));
    return this.out_proj.forward(this.#attend(inputs, options));
  }

  /**
   * The last row of `forward(x)` alone, x `[batch, n, features]` → `[batch, 1, features]`, to the bit, without what only the
   * other rows need. A replaced attention, and whoever is shown the heads, gets all queries all the same.
   *
   * @throws E_SHAPE, E_DTYPE for an input that does not fit
   */
  forwardLast(x: Tensor): Tensor {
    if (!this.#core && !this.onHeads) return this.forward(lastOf(x), { key: x });
    checkLastAxis("MultiHeadAttention", x, this.features, ["batch", "n", "features"]);
    return this.out_proj.forward(lastOf(this.#attend([this.#project(x, 0, 3)], {})));
  }

  /**
   * A new memory for {@link step}, one for each sequence (or batch of them) and layer.
   *
   * @throws E_VALUE when attention is replaced by one that cannot go a token at a time
   */
  decoder(): AttentionDecoder {
    if (this.#decoder) return this.#decoder();
    return fail(
      "E_VALUE",
      "MultiHeadAttention: the replaced attention goes through all tokens at once; give attentionDecoder beside it to decode",
    );
  }

  /**
   * The next row of causal attention of x to itself, x `[batch, 1, features]` → the same shape: what `forward(all, { causal: true })`
   * gives for this token, without a gradient and without dropout, whatever the mode. For softmax attention to the bit.
   *
   * @throws E_SHAPE, E_DTYPE for an input that does not fit
   */
  step(x: Tensor, decoder: AttentionDecoder): Tensor {
    const { features, heads } = this;
    checkLastAxis("MultiHeadAttention", x, features, ["batch", "1", "features"]);
    checkShapeIs("MultiHeadAttention", "the token", x, [x.shape[0]!, 1, features]);
    return noGrad(() => {
      const [q, k, v] = partsOf([this.#project(x, 0, 3)]).map((part) => splitHeads(part, heads)) as [
        Tensor,
        Tensor,
        Tensor,
      ];
      return this.out_proj.forward(joinHeads(decoder.step(q, k, v)));
    });
  }

  /** `[batch, n, features]` → `[batch, n, count·features]` by the parts 0 (q), 1 (k) and 2 (v) of the projection. */
  #project(x: Tensor, from: number, count: number): Tensor {
    const { in_proj_weight: weight, in_proj_bias: bias, features } = this;
    if (count === 3) return affine(x, weight, bias);
    const rows = [from * features, (from + count) * features] as const;
    return affine(x, weight.slice([rows]), bias?.slice([rows]));
  }

  /** `[batch, queries, features]` from q, k and v as `partsOf` finds them. */
  #attend(inputs: readonly Tensor[], masks: MaskOptions): Tensor {
    const { dropout, heads } = this;
    const drops = dropout && dropout.training && dropout.p > 0;
    if (!this.#core && !drops && !this.onHeads) return headsAttention(inputs, heads, masks);
    const [q, k, v] = partsOf(inputs).map((x) => splitHeads(x, heads)) as [Tensor, Tensor, Tensor];
    this.onHeads?.(q, k, v);
    if (!this.#core) {
      const weigh = drops ? (w: Tensor) => dropout.forward(w) : undefined;
      return joinHeads(attention(q, k, v, { ...masks, weigh }));
    }
    if (masks.attnMask || masks.keyPaddingMask || masks.causal) {
      fail(
        "E_VALUE",
        "MultiHeadAttention: a replaced attention is given no masks; leave the mask out, or mask inside it",
      );
    }
    const out = this.#core(q, k, v);
    checkShapeIs("MultiHeadAttention", "the result of the replaced attention", out, q.shape);
    return joinHeads(out);
  }
}

/** `[batch, n, features]` → `[batch, 1, features]` */
function lastOf(x: Tensor): Tensor {
  return x.slice([null, [-1]]);
}

/** What {@link MultiHeadAttention.forward} takes beside the query; in masks true hides. */
export interface AttentionInputs extends MaskOptions {
  readonly key?: Tensor;
  readonly value?: Tensor;
}
