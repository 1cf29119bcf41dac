import { argmax, noGrad, scope, type Tensor } from "../../autograd/index.js";
import { crossEntropy } from "../../nn/index.js";
import type { BenchModel } from "../models/index.js";
import type { MetricName, Split, Track } from "../tracks/index.js";
import { sliceBatch, type DataShape } from "./batch.js";

/** Series in one forward pass of an evaluation. */
const EVALUATION_BATCH = 100;

/**
 * What is added up for each metric over the targets of a batch. Its mean over all of them is the metric; NaN when a
 * prediction is not finite.
 */
const totals: Readonly<Record<MetricName, (prediction: Tensor, targets: Tensor) => number>> = {
  MSE: (prediction, targets) => squaredDistance(prediction.values(), targets.values()),
  accuracy: (prediction, targets) =>
    prediction.values().every(Number.isFinite)
      ? equalCount(argmax(prediction, 1).values(), targets.values())
      : NaN,
  "bits per character": (prediction, targets) =>
    crossEntropy(prediction, targets, { reduction: "sum" }).item() / Math.LN2,
};

/** The track's metric of a model over all targets of a part, in evaluation mode; summed in float64. */
export function evaluate(model: BenchModel, split: Split, track: DataShape & Pick<Track, "metric">): number {
  const total = totals[track.metric];
  model.module.eval();
  const sum = noGrad(() => {
    let sum = 0;
    for (let from = 0; from < split.count; from += EVALUATION_BATCH) {
      const to = Math.min(from + EVALUATION_BATCH, split.count);
      sum += scope(() => {
        const { x, y } = sliceBatch(split, track, from, to);
        return total(model.forward(x), y);
      });
    }
    return sum;
  });
  model.module.train();
  return sum / split.y.length;
}

function squaredDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i] - b[i];
    sum += difference * difference;
  }
  return sum;
}

function equalCount(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let count = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) count += 1;
  return count;
}
