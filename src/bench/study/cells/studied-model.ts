import { noGrad } from "../../../autograd/index.js";
import { builtInIdeas } from "../../../ideas/index.js";
import { buildModel } from "../../cells/build-model.js";
import { evaluate } from "../../cells/evaluate.js";
import type { IdeaReference } from "../../cells/spec.js";
import { dataOf } from "../../cells/track-data.js";
import { decodeWeights } from "../../cells/weights.js";
import type { BenchModel } from "../../models/index.js";
import type { StudiedModel } from "../study.js";

/** The trained model, with the change of `idea` in place of the one that it was trained with, in evaluation mode. */
export function loadModel(
  { spec, weights }: StudiedModel,
  idea: IdeaReference | null = spec.idea,
): BenchModel {
  const model = buildModel({ ...spec, idea }, builtInIdeas);
  model.module.loadStateDict(decodeWeights(weights));
  model.module.eval();
  return model;
}

/** The metric of {@link loadModel} on the part that its training cell is scored on. */
export function scoreOfModel(studied: StudiedModel, idea: IdeaReference | null = studied.spec.idea): number {
  const { track, data } = dataOf(studied.spec);
  return noGrad(() => evaluate(loadModel(studied, idea), data[studied.spec.evaluate], track));
}
