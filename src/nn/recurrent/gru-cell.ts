import { zeros, type Tensor } from "../../autograd/index.js";
import type { Shape } from "../../tensor/index.js";
import { checkLastAxis, checkShapeIs, checkWeightType } from "../check-input.js";
import { checkedRng, checkSize } from "../check-options.js";
import { uniformParameter } from "../initial-values.js";
import { Module } from "../module.js";
import type { Parameter } from "../parameter.js";
import { checkedReset, type GRUCellOptions, type ResetPlace } from "./gru-options.js";
import { gruSequence } from "./gru-sequence.js";
import { resetBeforeStep } from "./reset-before.js";

/**
 * One step of a GRU: r = σ(W_ir·x + b_ir + W_hr·h + b_hr), z likewise, n = tanh(W_in·x + b_in + r·(W_hn·h + b_hn)),
 * h′ = (1 − z)·n + z·h. Parameters: `weight_ih` `[3·hidden, inputs]`, `weight_hh` `[3·hidden, hidden]`, `bias_ih` and `bias_hh`
 * `[3·hidden]`, gates in the order r, z, n, all from U(±1/√hidden).
 *
 * Source: Cho et al., arXiv 1406.1078, with the reset gate after the product as in PyTorch; see {@link GRUCellOptions}.
 */
export class GRUCell extends Module {
  readonly weight_ih: Parameter;
  readonly weight_hh: Parameter;
  readonly bias_ih: Parameter | undefined;
  readonly bias_hh: Parameter | undefined;
  readonly reset: ResetPlace;

  constructor(
    readonly inputs: number,
    readonly hidden: number,
    options: GRUCellOptions,
  ) {
    super();
    checkedRng("GRUCell", options);
    checkSize("GRUCell", "inputs", inputs);
    checkSize("GRUCell", "hidden", hidden);
    this.reset = checkedReset("GRUCell", options.reset);
    const draw = (shape: Shape): Parameter =>
      uniformParameter("GRUCell", shape, 1 / Math.sqrt(hidden), options);
    this.weight_ih = draw([3 * hidden, inputs]);
    this.weight_hh = draw([3 * hidden, hidden]);
    if (options.bias ?? true) {
      this.bias_ih = draw([3 * hidden]);
      this.bias_hh = draw([3 * hidden]);
    }
  }

  /** x `[batch, inputs]`, h `[batch, hidden]` (zeros when left out) → h′ `[batch, hidden]`. Throws `E_SHAPE`, `E_DTYPE`. */
  forward(x: Tensor, h?: Tensor): Tensor {
    checkLastAxis("GRUCell", x, this.inputs, ["batch", "inputs"]);
    const { dtype } = this.weight_hh;
    const state = h ?? zeros([x.shape[0]!, this.hidden], { dtype });
    checkShapeIs("GRUCell", "h", state, [x.shape[0]!, this.hidden]);
    checkWeightType("GRUCell", "x", x, dtype);
    checkWeightType("GRUCell", "h", state, dtype);
    const { weight_ih: weightIh, weight_hh: weightHh, bias_ih: biasIh, bias_hh: biasHh } = this;
    const weights = { weightIh, weightHh, biasIh, biasHh };
    if (this.reset === "before") return resetBeforeStep(weights)(x, state);
    return gruSequence({ x: x.unsqueeze(0), start: state, ...weights }).squeeze(1);
  }
}
