import { stack, zeros, type Tensor } from "../../autograd/index.js";
import { fail, formatGiven } from "../../errors/index.js";
import { formatShape, type Shape } from "../../tensor/index.js";
import { checkLastAxis, checkShapeIs, checkWeightType } from "../check-input.js";
import { checkedRng, checkSize, checkWithin } from "../check-options.js";
import { uniformParameter } from "../initial-values.js";
import { Module } from "../module.js";
import type { Parameter } from "../parameter.js";
import { isUnfused } from "../unfused.js";
import { atEachStep } from "./clock.js";
import { checkedReset, type GRUCellOptions, type ResetPlace } from "./gru-options.js";
import { gruSequence } from "./gru-sequence.js";
import { gruSteps } from "./gru-steps.js";
import { resetBeforeStep } from "./reset-before.js";
import { joinSteps, timeSteps } from "./time-steps.js";

/** More layers than this are a mistake. */
const mostLayers = 1000;

/** Told of the hidden state `[batch, hidden]` after each step; what it returns, of the same shape and type, takes its place. */
export type OnStep = (hidden: Tensor, time: number, layer: number) => Tensor;

/** Options of {@link GRU}. */
export interface GRUOptions extends GRUCellOptions {
  /** Layers on top of each other. Default 1. */
  readonly numLayers?: number;
  /** A change to the hidden state after each step. */
  readonly onStep?: OnStep;
}

/** What a GRU gives. */
export interface GRUResult {
  /** The hidden states of the last layer, `[batch, time, hidden]`. */
  readonly output: Tensor;
  /** The last hidden state of each layer, `[layers, batch, hidden]`. */
  readonly hidden: Tensor;
}

/**
 * A GRU over a batch of series, batch first; the step is that of `GRUCell`. Parameters of layer l: `weight_ih_l{l}`,
 * `weight_hh_l{l}`, `bias_ih_l{l}`, `bias_hh_l{l}`, with PyTorch's shapes, gates in the order r, z, n, all from U(±1/√hidden).
 */
export class GRU extends Module {
  [weight: `weight_${"ih" | "hh"}_l${number}`]: Parameter;
  [bias: `bias_${"ih" | "hh"}_l${number}`]: Parameter | undefined;
  readonly numLayers: number;
  readonly reset: ResetPlace;
  readonly #onStep: OnStep | undefined;

  constructor(
    readonly inputs: number,
    readonly hidden: number,
    options: GRUOptions,
  ) {
    super();
    checkedRng("GRU", options);
    this.numLayers = options.numLayers ?? 1;
    checkSize("GRU", "inputs", inputs);
    checkSize("GRU", "hidden", hidden);
    checkSize("GRU", "numLayers", this.numLayers);
    checkWithin("GRU", "numLayers", this.numLayers, 1, mostLayers);
    this.reset = checkedReset("GRU", options.reset);
    if (options.onStep !== undefined && typeof options.onStep !== "function")
      fail("E_VALUE", `GRU: expected onStep to be a function, got ${formatGiven(options.onStep)}`);
    this.#onStep = options.onStep;
    const draw = (shape: Shape): Parameter => uniformParameter("GRU", shape, 1 / Math.sqrt(hidden), options);
    for (let layer = 0; layer < this.numLayers; layer++) {
      this[`weight_ih_l${layer}`] = draw([3 * hidden, layer === 0 ? inputs : hidden]);
      this[`weight_hh_l${layer}`] = draw([3 * hidden, hidden]);
      if (options.bias ?? true) {
        this[`bias_ih_l${layer}`] = draw([3 * hidden]);
        this[`bias_hh_l${layer}`] = draw([3 * hidden]);
      }
    }
  }

  /**
   * x `[batch, time, inputs]` with at least one step, h `[layers, batch, hidden]` (zeros when left out).
   *
   * @throws E_SHAPE for other shapes, and when `onStep` returns another one
   * @throws E_DTYPE unless x, h and what `onStep` returns have the type of the weights
   */
  forward(x: Tensor, h?: Tensor): GRUResult {
    checkLastAxis("GRU", x, this.inputs, ["batch", "time", "inputs"]);
    const batch = x.shape[0]!;
    if (x.shape[1] === 0) fail("E_SHAPE", `GRU: expected at least one step, got ${formatShape(x.shape)}`);
    const { dtype } = this.weight_hh_l0;
    checkWeightType("GRU", "x", x, dtype);
    if (h !== undefined) {
      checkShapeIs("GRU", "h", h, [this.numLayers, batch, this.hidden]);
      checkWeightType("GRU", "h", h, dtype);
    }
    const last: Tensor[] = [];
    let series = x;
    for (let layer = 0; layer < this.numLayers; layer++) {
      const start = h?.slice([layer]) ?? zeros([batch, this.hidden], { dtype });
      const { states, end } = this.#layer(layer, series, start);
      last.push(end);
      series = states;
    }
    return { output: series, hidden: last.length === 1 ? last[0]!.unsqueeze(0) : stack(last, 0) };
  }

  /** The states of a layer `[batch, time, hidden]`, and the last of them. */
  #layer(layer: number, x: Tensor, start: Tensor): { states: Tensor; end: Tensor } {
    const weights = {
      weightIh: this[`weight_ih_l${layer}`]!,
      weightHh: this[`weight_hh_l${layer}`]!,
      biasIh: this[`bias_ih_l${layer}`],
      biasHh: this[`bias_hh_l${layer}`],
    };
    if (this.reset === "before") {
      const step = resetBeforeStep(weights);
      const inputs = timeSteps(x);
      return this.#walk(layer, inputs.length, start, (state, time) => step(inputs[time]!, state));
    }
    const inOrder = x.permute([1, 0, 2]);
    if (this.#onStep || isUnfused()) return this.#walk(layer, x.shape[1]!, start, gruSteps(weights, inOrder));
    const states = gruSequence({ x: inOrder, start, ...weights });
    return { states, end: states.slice([null, -1]) };
  }

  /** Step by step, each state as `onStep` changes it. */
  #walk(
    layer: number,
    steps: number,
    start: Tensor,
    step: (state: Tensor, time: number) => Tensor,
  ): { states: Tensor; end: Tensor } {
    const states: Tensor[] = [];
    let state = start;
    atEachStep(steps, (time) => {
      const raw = step(state, time);
      state = this.#onStep ? this.#onStep(raw, time, layer) : raw;
      if (state !== raw) {
        checkShapeIs("GRU", "the state that onStep returns", state, raw.shape);
        checkWeightType("GRU", "the state that onStep returns", state, raw.dtype);
      }
      states.push(state);
    });
    return { states: joinSteps(states), end: state };
  }
}
