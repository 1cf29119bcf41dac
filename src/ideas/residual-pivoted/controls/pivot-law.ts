import type { Control } from "../../idea.js";
import { pivotedChange, pivotedDecoderChange } from "../change.js";
import type { PivotLaw } from "../settings.js";

/** The idea with its pivots chosen by another law, whatever law the options name. */
export function pivotLawControl(pivots: PivotLaw, statement: string, why: string): Control {
  return {
    name: `${pivots}-pivots`,
    title: `${pivots} pivots`,
    statement,
    why,
    change(options, rng) {
      return {
        attention: pivotedChange(options, rng, pivots),
        attentionDecoder: pivotedDecoderChange(options, rng, pivots),
      };
    },
  };
}
