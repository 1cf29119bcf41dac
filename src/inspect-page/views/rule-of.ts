import type { InspectNode } from "../../inspect/document.js";
import type { Recording } from "../state/recording.js";

/** The gradient of an input of an operation, in words. */
export function ruleOf({ document }: Recording, { op, inputs = [] }: InspectNode, input: number): string {
  const rules = document.operations[op!]?.rules ?? [];
  return rules[Math.min(input, rules.length - 1, inputs.length)] ?? "none";
}
