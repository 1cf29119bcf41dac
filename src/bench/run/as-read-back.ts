import type { Json } from "../../ideas/index.js";
import { canonicalJson, parseCanonicalJson } from "../cells/canonical.js";
import type { CellOutcome } from "../cells/result.js";

/** An outcome with its keys in the order in which a store gives them back, so that a report is the same bytes either way. */
export function asReadBack<Outcome extends CellOutcome>(outcome: Outcome): Outcome {
  return parseCanonicalJson(canonicalJson(outcome as unknown as Json)) as unknown as Outcome;
}
