import { gelu, noGrad, relu, type Tensor } from "../../autograd/index.js";
import { checkedOptions, fail, formatGiven } from "../../errors/index.js";
import { checkSize } from "../check-options.js";
import { Dropout } from "../layers/dropout.js";
import { LayerNorm } from "../layers/layer-norm.js";
import { Linear } from "../layers/linear.js";
import { Module } from "../module.js";
import type { AttentionDecoder } from "./attention-decoder.js";
import type { MaskOptions } from "./attention-mask.js";
import { MultiHeadAttention, type MultiHeadAttentionOptions } from "./multi-head-attention.js";

/**
 * Options of {@link TransformerBlock}; `dropout` applies to the attention weights, both branches, and inside the feed-forward part;
 * `bias` to all but the norms, which keep theirs.
 */
export interface TransformerBlockOptions extends MultiHeadAttentionOptions {
  readonly heads: number;
  /** The width between the two layers of the feed-forward part. */
  readonly feedForward: number;
  /** Default `gelu`, the exact one. */
  readonly activation?: "gelu" | "relu";
  /** Of both layer norms. Default 1e-5. */
  readonly eps?: number;
}

/**
 * A pre-norm block: x ← x + attention(norm1(x)), then x ← x + linear2(gelu(linear1(norm2(x)))). Parameters as PyTorch's
 * TransformerEncoderLayer with norm_first: `self_attn.…`, `linear1.…`, `linear2.…`, `norm1.…`, `norm2.…`.
 *
 * Source: Xiong et al., "On Layer Normalization in the Transformer Architecture", arXiv 2002.04745.
 */
export class TransformerBlock extends Module {
  readonly self_attn: MultiHeadAttention;
  readonly linear1: Linear;
  readonly linear2: Linear;
  readonly norm1: LayerNorm;
  readonly norm2: LayerNorm;
  readonly dropout: Dropout | undefined;
  readonly #activation: (x: Tensor) => Tensor;

  constructor(
    readonly features: number,
    options: TransformerBlockOptions,
  ) {
    super();
    const {
      heads,
      feedForward,
      activation = "gelu",
      eps = 1e-5,
      ...rest
    } = checkedOptions("TransformerBlock", options);
    checkSize("TransformerBlock", "feedForward", feedForward);
    if (activation !== "gelu" && activation !== "relu") {
      fail("E_VALUE", `TransformerBlock: expected activation gelu or relu, got ${formatGiven(activation)}`);
    }
    this.self_attn = new MultiHeadAttention(features, heads, rest);
    this.linear1 = new Linear(features, feedForward, rest);
    this.linear2 = new Linear(feedForward, features, rest);
    this.norm1 = new LayerNorm(features, { ...rest, eps });
    this.norm2 = new LayerNorm(features, { ...rest, eps });
    this.dropout = options.dropout && new Dropout(options.dropout);
    this.#activation = activation === "gelu" ? (x) => gelu(x) : relu;
  }

  /**
   * `[batch, n, features]` → the same shape. In masks true hides. Throws `E_SHAPE`, `E_DTYPE`, and `E_VALUE` for a mask beside a
   * replaced attention.
   */
  forward(x: Tensor, masks: MaskOptions = {}): Tensor {
    return this.#complete(x, this.self_attn.forward(this.norm1.forward(x), masks));
  }

  /**
   * The last position of `forward(x)` alone, `[batch, n, features]` → `[batch, 1, features]`: the same bits without dropout, and
   * none of the work that only the other positions need. For a last block of which no more is read. Throws as `forward`.
   */
  forwardLast(x: Tensor): Tensor {
    const attended = this.self_attn.forwardLast(this.norm1.forward(x));
    return this.#complete(x.slice([null, [-1]]), attended);
  }

  /**
   * The next position of `forward(all, { causal: true })` alone, `[batch, 1, features]` → the same shape, without a gradient and
   * without dropout; `decoder` is that of `self_attn`. Throws as `forward`.
   */
  step(x: Tensor, decoder: AttentionDecoder): Tensor {
    return noGrad(() => this.#complete(x, this.self_attn.step(this.norm1.forward(x), decoder), false));
  }

  /** What follows the attention: both branches are added to x. */
  #complete(x: Tensor, attended: Tensor, drops = true): Tensor {
    const drop = (value: Tensor): Tensor => (drops ? (this.dropout?.forward(value) ?? value) : value);
    const mixed = x.add(drop(attended));
    const inner = drop(this.#activation(this.linear1.forward(this.norm2.forward(mixed))));
    return mixed.add(drop(this.linear2.forward(inner)));
  }
}
