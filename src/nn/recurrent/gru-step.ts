import { matmul, type Tensor } from "../../autograd/index.js";
import { gruGates } from "./gru-gates.js";

/** Where the reset gate applies: to the product h·W_hnᵀ + b_hn (PyTorch), or to h before it (Keras with reset_after=False). */
export type ResetPlace = "after" | "before";

/** The parameters of one GRU layer: `[3·hidden, inputs]`, `[3·hidden, hidden]` and twice `[3·hidden]`, in the order r, z, n. */
export interface GruWeights {
  readonly weightIh: Tensor;
  readonly weightHh: Tensor;
  readonly biasIh: Tensor | undefined;
  readonly biasHh: Tensor | undefined;
}

/** One step: x `[batch, inputs]` and h `[batch, hidden]` → the next h. */
export type GruStep = (x: Tensor, h: Tensor) => Tensor;

/** The step of a layer; what it prepares from the weights is shared by all steps made with it. */
export function gruStep(weights: GruWeights, reset: ResetPlace): GruStep {
  return reset === "after" ? resetAfter(weights) : resetBefore(weights);
}

/** n = tanh(W_in·x + b_in + r·(W_hn·h + b_hn)) */
function resetAfter({ weightIh, weightHh, biasIh, biasHh }: GruWeights): GruStep {
  return (x, h) => {
    const gi = matmul(x, weightIh, { transposeB: true });
    const gh = matmul(h, weightHh, { transposeB: true });
    return gruGates({ gi, gh, h, bi: biasIh, bh: biasHh });
  };
}

/** n = tanh(W_in·x + b_in + W_hn·(r·h) + b_hn) */
function resetBefore({ weightIh, weightHh, biasIh, biasHh }: GruWeights): GruStep {
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
