import { attentionCost } from "./attention-cost.js";
import type { Study } from "./study.js";

/** The studies by name. */
export const studies: ReadonlyMap<string, Study> = new Map(
  [attentionCost].map((study): [string, Study] => [study.name, study]),
);
