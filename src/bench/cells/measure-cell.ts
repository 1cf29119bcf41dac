import { fail } from "../../errors/index.js";
import { sliceBatch } from "./batch.js";
import { buildModel, ideaOf, ideaStream, type IdeaRegistry } from "./build-model.js";
import type { CellOutcome, StoredWeights } from "./result.js";
import type { MeasureSpec } from "./spec.js";
import { dataOf } from "./track-data.js";
import { decodeWeights } from "./weights.js";

/** The idea's signature on a trained model, over the whole test part of the model's seed. */
export function measureCell(
  spec: MeasureSpec,
  weights: StoredWeights,
  ideas: IdeaRegistry,
): CellOutcome<MeasureSpec> {
  const begin = performance.now();
  const { trained } = spec;
  if (trained.idea === null) fail("E_INTERNAL", "a mechanism can be measured in the idea arm only");
  const idea = ideaOf(trained.idea, ideas);
  const { track, data } = dataOf(trained);
  const { test } = data;
  const model = buildModel(trained, ideas);
  model.module.loadStateDict(decodeWeights(weights));
  model.module.eval();
  const { options } = trained.idea;
  const { x } = sliceBatch(test, track, 0, test.count);
  const result = idea.measure(model.observe(x), options, ideaStream(trained.seed, "measure"));
  return { result, seconds: (performance.now() - begin) / 1000 };
}
