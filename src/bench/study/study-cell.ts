import { fail } from "../../errors/index.js";
import type { CellOutcome, StoredWeights } from "../cells/result.js";
import type { StudySpec } from "../cells/spec.js";
import { studies } from "./studies.js";
import type { Study } from "./study.js";

/** @throws E_PLAN when there is no such study */
export function studyOf(name: string, known: ReadonlyMap<string, Study> = studies): Study {
  return known.get(name) ?? fail("E_PLAN", `a cell names the study '${name}', which does not exist here`);
}

/** Computes a cell of a study from the parameters of the models that it names, in their order. */
export function studyCell(spec: StudySpec, weights: readonly StoredWeights[]): CellOutcome<StudySpec> {
  const begin = performance.now();
  const models = spec.trained.map((trained, at) => ({ spec: trained, weights: weights[at]! }));
  const result = studyOf(spec.study).cell(spec.point, models);
  return { result, seconds: (performance.now() - begin) / 1000 };
}
