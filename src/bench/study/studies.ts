import { attentionCost } from "./attention-cost.js";
import { attentionQuality } from "./attention-quality.js";
import { decode } from "./decode.js";
import { hiddenCompression } from "./hidden-compression.js";
import type { Study } from "./study.js";

const known: readonly Study[] = [attentionCost, attentionQuality, decode, hiddenCompression];

/** The studies by name. */
export const studies: ReadonlyMap<string, Study> = new Map(known.map((study) => [study.name, study]));
