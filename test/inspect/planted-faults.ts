import { concat, tensor, where, type Tensor } from "../../src/autograd/index.js";
import type { Linear, Module, TransformerBlock } from "../../src/nn/index.js";
import type { TrainingStep } from "../../src/inspect/index.js";

/** A loss with a fault in it, and the line of this file that is to blame. */
export interface Planted {
  readonly line: number;
  readonly loss: () => Tensor;
}

const here = (): number => Number(/planted-faults\.ts:(\d+)/.exec(new Error().stack!.split("\n")[2]!)![1]);
const partsOf = ({ model }: TrainingStep): Module & { head: Linear; layers: TransformerBlock[] } =>
  model.module as never;

/** The forecast beside its double, so that a row has two columns at least. */
const doubled = ({ model, x }: TrainingStep): Tensor =>
  ((forecast) => concat([forecast, forecast.mul(2)], 1))(model.forward(x));

/** bool like the doubled forecast: true in one row, or everywhere. */
function hiding(step: TrainingStep, row: number | "all"): Tensor {
  const [rows, columns] = doubled(step).shape as [number, number];
  const flags = Array.from({ length: rows }, (_, i) =>
    new Array<boolean>(columns).fill(row === "all" || i === row),
  );
  return tensor(flags);
}

export function logOfZero({ model, x }: TrainingStep): Planted {
  const gap = (): Tensor => ((prediction) => prediction.sub(prediction.detach()))(model.forward(x));
  const line = here() + 1;
  return { line, loss: () => gap().log().mean() };
}

export function divisionByZero({ model, x, y }: TrainingStep): Planted {
  const line = here() + 1;
  return { line, loss: () => model.forward(x).div(y.sub(y)).mean() };
}

export function overflow({ model, x }: TrainingStep): Planted {
  const line = here() + 1;
  const powers = (): Tensor => model.forward(x).add(200).exp();
  return { line, loss: () => powers().mul(0).mean() };
}

/** softmax gives 0 for a row that is hidden as a whole: nothing is NaN, and nothing flows back from it. */
export function hiddenRow(step: TrainingStep, row: number | "all"): Planted {
  const mask = hiding(step, row);
  const scores = (): Tensor => where(mask, -Infinity, doubled(step));
  const line = here() + 1;
  return { line, loss: () => scores().softmax(-1).square().mean() };
}

/** A softmax written by hand: −∞ − −∞ is NaN. */
export function hiddenRowByHand(step: TrainingStep): Planted {
  const mask = hiding(step, 1);
  const line = here() + 3;
  const loss = (): Tensor => {
    const scores = where(mask, -Infinity, doubled(step));
    const powers = scores.sub(scores.max(-1, { keepDims: true })).exp();
    return powers
      .div(powers.sum(-1, { keepDims: true }))
      .square()
      .mean();
  };
  return { line, loss };
}

/** The mask that a transformer's own attention is given. */
export function hiddenQuery(step: TrainingStep): Planted {
  const { self_attn: attention } = partsOf(step).layers[0]!;
  const steps = step.x.shape[1]!;
  const flags = Array.from({ length: steps }, (_, query) => new Array<boolean>(steps).fill(query === 2));
  const attnMask = tensor(flags);
  const original = attention.forward.bind(attention);
  const line = here() + 1;
  attention.forward = (query) => original(query, { attnMask });
  return { line, loss: step.loss };
}

export function deadRelu({ model, x, y }: TrainingStep): Planted {
  const line = here() + 1;
  const forecast = (): Tensor => model.forward(x).sub(1000).relu();
  return { line, loss: () => forecast().sub(y).square().mean() };
}

export function detachedParameter(step: TrainingStep): Planted {
  const { head } = partsOf(step);
  const line = here() + 1;
  head.forward = (v) => v.matmul(head.weight.detach(), { transposeB: true }).add(head.bias!);
  return { line, loss: step.loss };
}
