import { fail } from "../../errors/index.js";
import { buildModel, type IdeaRegistry } from "./build-model.js";
import { evaluate } from "./evaluate.js";
import { parameterCount, scoreOf } from "./score.js";
import type { CellOutcome, StoredWeights } from "./result.js";
import type { EvaluateSpec } from "./spec.js";
import { dataOf } from "./track-data.js";
import { decodeWeights } from "./weights.js";

/**
 * The score of a model that was trained with the idea, with a control's change in the idea's place, on the part that the
 * trained model is scored on. The control must learn nothing: the parameters are those of the trained model.
 */
export function evaluateCell(
  spec: EvaluateSpec,
  weights: StoredWeights,
  ideas: IdeaRegistry,
): CellOutcome<EvaluateSpec> {
  const begin = performance.now();
  const { trained, control } = spec;
  if (trained.idea === null) fail("E_INTERNAL", "a control is evaluated on models of the idea arm only");
  const { track, data } = dataOf(trained);
  const model = buildModel({ ...trained, idea: { ...trained.idea, control } }, ideas);
  model.module.loadStateDict(decodeWeights(weights));
  const score = scoreOf(evaluate(model, data[trained.evaluate], track), track);
  const result = { ...score, parameters: parameterCount(model) };
  return { result, seconds: (performance.now() - begin) / 1000 };
}
