import { noGrad, scope, tensor } from "../../autograd/index.js";
import type { BenchModel } from "../models/index.js";
import type { Track } from "../tracks/index.js";
import type { TrainSpec } from "./spec.js";

/** The figures of a track beside its metric, of a model in evaluation mode. */
export function furtherMetrics(
  model: BenchModel,
  track: Track,
  { seed, testSize }: Pick<TrainSpec, "seed" | "testSize">,
): Readonly<Record<string, number>> {
  const { steps, features } = track.input;
  model.module.eval();
  const figures = track.further!.measure(
    (x, count) =>
      noGrad(() =>
        scope(() =>
          Float32Array.from(model.forward(tensor(x, { shape: [count, steps, features] })).values()),
        ),
      ),
    seed,
    testSize,
  );
  model.module.train();
  return figures;
}
