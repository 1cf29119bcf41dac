import { attentionCost } from "./attention-cost.js";
import { attentionQuality } from "./attention-quality.js";
import { decode } from "./decode.js";
import type { Study } from "./study.js";

/** The studies by name. */
export const studies: ReadonlyMap<string, Study> = new Map(
  ([attentionCost, attentionQuality, decode] as readonly Study[]).map((study): [string, Study] => [
    study.name,
    study,
  ]),
);
