import type { MathCheck } from "../../ideas/index.js";
import { ideaOf, ideaStream, type IdeaRegistry } from "./build-model.js";
import type { IdeaReference } from "./spec.js";

/** The seed of the random inputs of mathematical checks. */
const CHECK_SEED = 0;

/** The identities of an idea on random inputs. A figure that is no number has not passed, whatever the idea says. */
export function checkIdea(reference: IdeaReference, ideas: IdeaRegistry): readonly MathCheck[] {
  const checks = ideaOf(reference, ideas).checks(reference.options, ideaStream(CHECK_SEED, "checks"));
  return checks.map((check) => ({ ...check, passed: check.passed && check.observed <= check.bound }));
}
