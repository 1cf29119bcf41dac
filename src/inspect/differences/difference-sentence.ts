import { numberText } from "../why/reader.js";
import type { DifferenceStep, DifferenceVerdict } from "./differences-of.js";

/** A verdict in plain words. */
export function differenceSentence(
  verdict: DifferenceVerdict,
  rule: number | null,
  { step, slope, left, right, error }: DifferenceStep,
): string {
  const [own, found] = [numberText(rule ?? NaN), numberText(slope)];
  const by = `with a step of ${step}`;
  switch (verdict) {
    case "agrees":
      return `the rule gives ${own}, and differences agree ${error === 0 ? "exactly" : `to ${error.toExponential(0)}`} ${by}`;
    case "disagrees":
      return `the rule gives ${own}, but differences give ${found} ${by}, and no step comes nearer`;
    case "kink":
      return `there is a kink here: the slope is ${numberText(left)} from the left and ${numberText(right)} from the right; the rule gives ${own}`;
    case "not finite":
      return Number.isFinite(rule)
        ? `the rule gives ${own}, and there is nothing to compare it with: values beside this one are not finite`
        : `the rule gives ${own}; differences give ${found} ${by}`;
    case "not computed":
      return slope === 0
        ? "no gradient is computed here, and differences give 0 too"
        : `no gradient is computed here, but differences give ${found} ${by}`;
  }
}
