import type { BenchModel } from "../models/index.js";
import type { Track } from "../tracks/index.js";
import type { TrainResult } from "./result.js";

/** A score as a cell has it: one that is not finite is that of a diverged model, and the worst there is. */
export function scoreOf(
  score: number,
  { direction }: Pick<Track, "direction">,
): Pick<TrainResult, "status" | "metric"> {
  if (Number.isFinite(score)) return { status: "ok", metric: score };
  return { status: "diverged", metric: direction === "lower" ? Infinity : -Infinity };
}

/** Numbers in a model's parameters. */
export function parameterCount({ module }: BenchModel): number {
  return module.parameters().reduce((count, parameter) => count + parameter.size, 0);
}
