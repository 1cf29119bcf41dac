import { matmul, type Tensor } from "../../autograd/index.js";
import type { GruWeights } from "./gru-weights.js";

/** One step with the reset gate before the product: x `[batch, inputs]` and h `[batch, hidden]` → the next h. */
export type ResetBeforeStep = (x: Tensor, h: Tensor) => Tensor;

/**
 * The steps of a layer with n = tanh(W_in·x + b_in + W_hn·(r·h) + b_hn), in elementary operations; what is prepared from the
 * weights is shared by all of them.
 */
export function resetBeforeStep({ weightIh, weightHh, biasIh, biasHh }: GruWeights): ResetBeforeStep {
  const hidden = weightHh.shape[1]!;
  const [gateRows, newRows] = weightHh.split([2 * hidden, hidden], 0) as [Tensor, Tensor];
  const bias = biasIh && biasHh ? biasIh.add(biasHh) : undefined;
  return (x, h) => {
    const product = matmul(x, weightIh, { transposeB: true });
    const [ir, iz, inward] = (bias ? product.add(bias) : product).split(3, 1) as [Tensor, Tensor, Tensor];
    const [hr, hz] = matmul(h, gateRows, { transposeB: true }).split(2, 1) as [Tensor, Tensor];
    const r = ir.add(hr).sigmoid();
    const z = iz.add(hz).sigmoid();
    const n = inward.add(matmul(r.mul(h), newRows, { transposeB: true })).tanh();
    return n.add(z.mul(h.sub(n)));
  };
}
