import { noGrad, scope } from "../../autograd/index.js";
import type { BenchModel } from "../models/index.js";
import type { Split } from "../tracks/index.js";
import { sliceBatch, type SeriesShape } from "./batch.js";

/** Series in one forward pass of an evaluation. */
const EVALUATION_BATCH = 100;

/** Mean squared error of a model over all targets of a part, in evaluation mode; squares are summed in float64. */
export function evaluate(model: BenchModel, split: Split, shape: SeriesShape): number {
  model.module.eval();
  const total = noGrad(() => {
    let sum = 0;
    for (let from = 0; from < split.count; from += EVALUATION_BATCH) {
      const to = Math.min(from + EVALUATION_BATCH, split.count);
      sum += scope(() => {
        const { x, y } = sliceBatch(split, shape, from, to);
        return squaredDistance(model.forward(x).values(), y.values());
      });
    }
    return sum;
  });
  model.module.train();
  return total / split.y.length;
}

function squaredDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i] - b[i];
    sum += difference * difference;
  }
  return sum;
}
