import type { Tensor } from "../../autograd/index.js";
import { Embedding } from "../../nn/index.js";

/**
 * One vector for each position of several tokens: the sum of the tokens' embeddings, int32 `[batch, steps, tokens]` →
 * `[batch, steps, width]`. Parameter: `weight` `[vocabulary, width]`, from N(0, 1).
 */
export class TokenEmbedding extends Embedding {
  override forward(tokens: Tensor): Tensor {
    return super.forward(tokens).sum(2);
  }
}
