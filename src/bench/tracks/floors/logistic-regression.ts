import { scope, tensor, zeros, type Tensor } from "../../../autograd/index.js";
import { crossEntropy } from "../../../nn/index.js";
import type { Split } from "../track.js";

/** Multiples of half the mean squared weight that are tried. */
export const PENALTIES = [1e-4, 1e-3, 1e-2] as const;

/** Steps of the fit. */
const STEPS = 300;

/** Power steps of the bound on the curvature, which is 2 % too small at most afterwards. */
const POWER_STEPS = 30;

/** A linear classifier: the class with the largest of x·weight + bias. */
export interface LinearClassifier {
  classOf(x: ArrayLike<number>): number;
}

/**
 * Multinomial logistic regression: the weights W `[inputs, classes]` and biases b that minimise the mean of
 * −ln softmax(x·W + b)[class] + penalty·‖W‖²/2, by Nesterov's accelerated gradient steps of 1/L from zero with L = λ_max(XᵀX/n)/2 +
 * penalty, X with a column of ones. The penalty is the one of {@link PENALTIES} with the most right classes on the last fifth of the
 * series after a fit on the others, the largest of equal ones.
 */
export function logisticRegression(train: Split, classes: number): LinearClassifier {
  const width = train.x.length / train.count;
  const kept = Math.max(1, train.count - Math.floor(train.count / 5));
  const part = (from: number, to: number): Split => ({
    count: to - from,
    x: train.x.subarray(from * width, to * width),
    y: train.y.subarray(from, to),
  });
  const [first, last] = [part(0, kept), part(kept, train.count)];
  const scores = PENALTIES.map((penalty) => correctShare(fit(first, classes, penalty), last));
  const best = scores.lastIndexOf(Math.max(...scores));
  return fit(train, classes, PENALTIES[best] ?? PENALTIES[1]);
}

/** The share of right classes; 0 of no series. */
export function correctShare(classifier: LinearClassifier, { count, x, y }: Split): number {
  const width = x.length / count;
  let correct = 0;
  for (let i = 0; i < count; i++)
    if (classifier.classOf(x.subarray(i * width, (i + 1) * width)) === y[i]) correct += 1;
  return count === 0 ? 0 : correct / count;
}

function fit({ count, x, y }: Split, classes: number, penalty: number): LinearClassifier {
  const width = x.length / count;
  const inputs = tensor(x, { shape: [count, width] });
  const targets = tensor(y, { shape: [count] });
  const rate = 1 / (curvature(inputs) / 2 + penalty);
  let parameters = [zeros([width, classes]), zeros([classes])];
  let ahead = parameters;
  for (let step = 1; step <= STEPS; step++) {
    const gradients = gradientsOf(ahead, inputs, targets, penalty);
    const next = ahead.map((parameter, at) => parameter.sub(gradients[at]!.mul(rate)));
    const momentum = (step - 1) / (step + 2);
    ahead = next.map((parameter, at) => parameter.add(parameter.sub(parameters[at]!).mul(momentum)));
    parameters = next;
  }
  return classifier(parameters[0]!.values(), parameters[1]!.values());
}

function gradientsOf(
  at: readonly Tensor[],
  inputs: Tensor,
  targets: Tensor,
  penalty: number,
): readonly Tensor[] {
  const leaves = at.map((parameter) =>
    tensor(parameter.values(), { shape: [...parameter.shape], requiresGrad: true }),
  );
  const [weight, bias] = leaves as [Tensor, Tensor];
  const found = scope(() => {
    const loss = crossEntropy(inputs.matmul(weight).add(bias), targets);
    loss
      .add(
        weight
          .square()
          .sum()
          .mul(penalty / 2),
      )
      .backward();
    return leaves.map((leaf) => ({ values: leaf.grad!.values().slice(), shape: [...leaf.shape] }));
  });
  return found.map(({ values, shape }) => tensor(values as Float32Array, { shape }));
}

/** The largest eigenvalue of [X, 1]ᵀ[X, 1]/n, by power steps. */
function curvature(inputs: Tensor): number {
  const [count, width] = inputs.shape as [number, number];
  const x = inputs.values();
  let vector = new Float64Array(width + 1).fill(1 / Math.sqrt(width + 1));
  let largest = 0;
  for (let step = 0; step < POWER_STEPS; step++) {
    const next = new Float64Array(width + 1);
    for (let i = 0; i < count; i++) {
      let product = vector[width]!;
      for (let j = 0; j < width; j++) product += x[i * width + j]! * vector[j]!;
      for (let j = 0; j < width; j++) next[j]! += x[i * width + j]! * product;
      next[width]! += product;
    }
    const norm = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
    largest = norm / count;
    vector = next.map((value) => value / norm);
  }
  return 1.02 * largest;
}

function classifier(weight: ArrayLike<number>, bias: ArrayLike<number>): LinearClassifier {
  const classes = bias.length;
  return {
    classOf(x) {
      const scores = Float64Array.from(bias);
      for (let j = 0; j < x.length; j++)
        for (let c = 0; c < classes; c++) scores[c]! += x[j]! * weight[j * classes + c]!;
      return scores.indexOf(Math.max(...scores));
    },
  };
}
