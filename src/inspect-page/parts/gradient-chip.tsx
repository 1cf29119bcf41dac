import type { JSX } from "preact";
import type { GradientState } from "../../inspect/steps.js";

/** How far a gradient is, in words: what is not computed is told apart from 0. */
export function GradientChip({
  state: { status, received, expected },
}: {
  state: GradientState;
}): JSX.Element {
  const text = {
    never: "never computed",
    "not yet": "not yet computed",
    partial: `${received} of ${expected} parts in`,
    complete: expected === 1 ? "complete" : `complete: ${expected} parts`,
  }[status];
  return <span class={`chip ${status.replace(" ", "-")}`}>{text}</span>;
}
