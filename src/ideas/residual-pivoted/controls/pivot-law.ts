import type { Control } from "../../idea.js";
import { residualPivotedAttention } from "../attention.js";
import { completeSettings, type PivotLaw } from "../settings.js";

/** The idea with its pivots chosen by another law, whatever law the options name. */
export function pivotLawControl(pivots: PivotLaw, statement: string, why: string): Control {
  return {
    name: `${pivots}-pivots`,
    title: `${pivots} pivots`,
    statement,
    why,
    change(options, rng) {
      const settings = { ...completeSettings(options), pivots };
      return { attention: (q, k, v) => residualPivotedAttention(q, k, v, { ...settings, rng }).output };
    },
  };
}
