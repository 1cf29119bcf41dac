import { expect } from "vitest";
import { tensor, zeros, type Tensor } from "../../src/autograd/index.js";
import {
  Adam,
  AdamW,
  clipGradNorm,
  LayerNorm,
  SGD,
  type AdamOptions,
  type SGDOptions,
} from "../../src/nn/index.js";
import { expectNumber, expectRows, rows, type Kind, type Place } from "./place.js";

/** Adam and AdamW as the papers write them, for one number. */
function scalarAdam(
  p: number,
  gradients: readonly number[],
  options: AdamOptions,
  decoupled: boolean,
): number {
  const { lr = 1e-3, betas = [0.9, 0.999], eps = 1e-8, weightDecay = decoupled ? 0.01 : 0 } = options;
  let [m, v] = [0, 0];
  gradients.forEach((gradient, i) => {
    const g = decoupled ? gradient : gradient + weightDecay * p;
    if (decoupled) p -= lr * weightDecay * p;
    m = betas[0] * m + (1 - betas[0]) * g;
    v = betas[1] * v + (1 - betas[1]) * g * g;
    p -= (lr * (m / (1 - betas[0] ** (i + 1)))) / (Math.sqrt(v / (1 - betas[1] ** (i + 1))) + eps);
  });
  return p;
}

/** SGD as PyTorch documents it, for one number. */
function scalarSGD(p: number, gradients: readonly number[], options: SGDOptions): number {
  const { lr, momentum = 0, dampening = 0, nesterov = false, weightDecay = 0 } = options;
  let b: number | undefined;
  for (const gradient of gradients) {
    const g = gradient + weightDecay * p;
    b = b === undefined ? g : momentum * b + (1 - dampening) * g;
    p -= lr * (momentum === 0 ? g : nesterov ? g + momentum * b : b);
  }
  return p;
}

interface Steps {
  step(): void;
}
const start = 10;

/** Steps with these gradients end where the formula for one number does, whatever else the optimizer updates. */
function follows(
  make: (parameters: Tensor[]) => Steps,
  formula: (gradients: readonly number[]) => number,
): (at: Place) => void {
  return (at) => {
    for (const list of [[1], [1e-8], [-3, 2, 0.5], [1e-20, 1e-20], [0, 1, 0, -1], [1e10], [1e-3, 1e3]]) {
      const x = rows(at, [start, start]);
      const other = rows(at, [1]);
      const idle = rows(at, [7]);
      const optimizer = make([other, x, idle]);
      for (const g of list) {
        x.grad = zeros(x.shape, { dtype: at.dtype }).add(g);
        other.grad = zeros(other.shape, { dtype: at.dtype }).add(-g);
        optimizer.step();
      }
      const wanted = formula(list);
      expectRows(x, [wanted, wanted], at, at.dtype === "float32" ? 1e-6 : 1e-13);
      expectRows(idle, [7], at, 0);
    }
  };
}

const adam = (options: AdamOptions): ((at: Place) => void) =>
  follows(
    (xs) => new Adam(xs, options),
    (list) => scalarAdam(start, list, options, false),
  );
const adamW = (options: AdamOptions): ((at: Place) => void) =>
  follows(
    (xs) => new AdamW(xs, options),
    (list) => scalarAdam(start, list, options, true),
  );
const sgd = (options: SGDOptions): ((at: Place) => void) =>
  follows(
    (xs) => new SGD(xs, options),
    (list) => scalarSGD(start, list, options),
  );

export const optimizers: Readonly<Record<string, Kind>> = {
  "adam-epsilon": {
    kind: "where a small constant stands, and how first steps are corrected, in everything that divides by a running or taken size",
    subjects: {
      "Adam by default": adam({}),
      "Adam with a large epsilon": adam({ eps: 0.1, lr: 0.5 }),
      "Adam with no first moment": adam({ betas: [0, 0.999] }),
      "Adam with no moments": adam({ betas: [0, 0], eps: 1e-3 }),
      "Adam with fast moments": adam({ betas: [0.5, 0.9], lr: 1 }),
      AdamW: adamW({ weightDecay: 0 }),
      "AdamW with a large epsilon": adamW({ eps: 0.1, lr: 0.5 }),
      "SGD, first momentum is the gradient": sgd({ lr: 0.1, momentum: 0.9 }),
      "SGD, dampening not in the first step": sgd({ lr: 0.1, momentum: 0.9, dampening: 0.5 }),
      "epsilon of the case": (at) => {
        const x = rows(at, [1]);
        x.grad = zeros(x.shape, { dtype: at.dtype }).add(1e-8);
        new Adam([x]).step();
        expectRows(x, [0.9995], at, 1e-6);
      },
      "normalize, epsilon inside the root": (at) => {
        const y = rows(at, [-1, 1]).normalize({ eps: 3 });
        expectRows(y, [-0.5, 0.5], at);
      },
      "LayerNorm, epsilon inside the root": (at) => {
        const y = new LayerNorm(2, { eps: 3, dtype: at.dtype }).forward(rows(at, [-1, 1]));
        expectRows(y, [-0.5, 0.5], at);
      },
      "clipGradNorm, 1e-6 beside the norm": (at) => {
        const x = tensor([1], { dtype: at.dtype, requiresGrad: true });
        x.grad = tensor([1e-6], { dtype: at.dtype });
        expectNumber(clipGradNorm([x], 1e-6), 1e-6, 1e-12);
        expectNumber(x.grad.item() * 1e6, 0.5, 1e-6);
      },
    },
  },
  "adamw-coupling": {
    kind: "how weight decay joins the gradient, the momentum and the learning rate, and that idle parameters do not decay",
    subjects: {
      "Adam with L2": adam({ lr: 0.1, weightDecay: 0.1 }),
      "Adam with strong L2": adam({ lr: 0.01, weightDecay: 2, eps: 0.01 }),
      "AdamW by default": adamW({ lr: 0.1 }),
      "AdamW with decay": adamW({ lr: 0.1, weightDecay: 0.1 }),
      "AdamW with strong decay": adamW({ lr: 0.5, weightDecay: 1, betas: [0.5, 0.9] }),
      "SGD with L2": sgd({ lr: 0.1, weightDecay: 0.1 }),
      "SGD with L2 and momentum": sgd({ lr: 0.1, weightDecay: 0.1, momentum: 0.9 }),
      "SGD with L2, momentum and dampening": sgd({
        lr: 0.1,
        weightDecay: 0.1,
        momentum: 0.9,
        dampening: 0.3,
      }),
      "SGD with L2 and Nesterov's momentum": sgd({
        lr: 0.1,
        weightDecay: 0.1,
        momentum: 0.9,
        nesterov: true,
      }),
      "the figures of the case": (at) => {
        for (const [make, wanted] of [
          [(x: Tensor) => new AdamW([x], { lr: 0.1, weightDecay: 0.1 }), 9.8],
          [(x: Tensor) => new Adam([x], { lr: 0.1, weightDecay: 0.1 }), 9.9],
        ] as const) {
          const x = rows(at, [10]);
          x.grad = zeros(x.shape, { dtype: at.dtype }).add(1);
          make(x).step();
          expectRows(x, [wanted], at, 1e-7);
        }
        expect(at.dtype).toMatch(/^float/);
      },
    },
  },
};
