import { noGrad } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { formatShape } from "../../tensor/index.js";
import type { InspectDocument, InspectNode } from "../document.js";
import { placeOf } from "../record/element.js";
import { gradientsOf, startOf } from "../replay/gradients.js";
import { Recomputation, type ReplayOptions } from "../replay/recompute.js";
import { differenceSentence } from "./difference-sentence.js";

/** Differences with one step h. */
export interface DifferenceStep {
  /** h relative to max(1, |x|). */
  readonly step: number;
  /** (L(x + h) − L(x − h))/2h */
  readonly slope: number;
  /** (L(x) − L(x − h))/h and (L(x + h) − L(x))/h */
  readonly left: number;
  readonly right: number;
  /** |slope − rule| relative to max(1, |rule|); against 0 where no gradient is computed. */
  readonly error: number;
}

/**
 * `agrees`: some step comes as near as 1e-6. `kink`: the slopes from both sides do not come together, so that there is no derivative.
 * `not finite`: the rule or every difference is NaN or infinite. `not computed`: nothing flows to the leaf. Else `disagrees`.
 */
export type DifferenceVerdict = "agrees" | "disagrees" | "kink" | "not finite" | "not computed";

/** A gradient rule beside finite differences, at one element of a leaf. */
export interface Differences {
  readonly leaf: number;
  readonly element: readonly number[];
  /** The element itself, in float64. */
  readonly value: number;
  /** ∂L/∂ it by the rules, in float64; null where no gradient is computed. */
  readonly rule: number | null;
  /** From the largest step to the smallest. */
  readonly steps: readonly DifferenceStep[];
  /** Which of them comes nearest to the rule; where it is a kink, whose sides are quoted. */
  readonly best: number;
  readonly verdict: DifferenceVerdict;
  /** The same in plain words. */
  readonly sentence: string;
}

/** The steps, relative to max(1, |x|). */
const stepSizes = Array.from({ length: 10 }, (_, i) => Number(`1e-${i + 1}`));

/** What counts as agreement, relative to max(1, |rule|): differences of two points in float64 come to 1e-9 where L is about 1. */
const agreement = 1e-6;

/** Where both sides are compared: small enough to look like a kink, and large enough for differences of a few digits. */
const [wideStep, closeStep] = [3, 5];

/**
 * Compares the gradient of one element of a leaf with central differences of many steps, in float64 whatever the document's types are: the
 * error of the formula falls with the square of the step, that of rounding grows as the step shrinks. L is ⟨cotangent, output⟩, as it was
 * inspected: the sum of the output unless a cotangent was given. What has no gradient on purpose is held: copies, as after `detach()`, and what was computed
 * within `noGrad`.
 *
 * @throws E_REPLAY when the document cannot be computed again, or the node is no leaf; E_INDEX for an element that it does not have
 */
export function differencesOf(
  document: InspectDocument,
  leaf: number,
  element: readonly number[],
  options: Omit<ReplayOptions, "dtype"> = {},
): Differences {
  const node = leafAt(document, leaf, element);
  const again = new Recomputation(document, { ...options, dtype: "float64" });
  const base = again.run().tensors;
  const output = base[document.output]!;
  const weights = startOf(again, output).values();
  const place = placeOf(element, node.shape);
  const value = base[leaf]!.values()[place]!;
  const gradient = gradientsOf(again, base, [leaf]).get(leaf);
  const rule = gradient ? gradient.values()[place]! : null;
  const held = base.map((tensor) => tensor.detach());
  const loss = (at: number): number => {
    const { tensors } = noGrad(() => again.run([{ node: leaf, element, value: at }], { held }));
    const found = tensors[document.output]!.array.data;
    let sum = 0;
    for (let i = 0; i < found.length; i++) sum += weights[i]! * found[i]!;
    return sum;
  };
  const middle = loss(value);
  const steps = stepSizes.map((step) => differencesAt(loss, value, middle, step, rule ?? 0));
  const { best, verdict } = judged(steps, rule, middle);
  return {
    leaf,
    element,
    value,
    rule,
    steps,
    best,
    verdict,
    sentence: differenceSentence(verdict, rule, steps[best]!),
  };
}

function leafAt(document: InspectDocument, leaf: number, element: readonly number[]): InspectNode {
  const node = document.nodes[leaf];
  if (node?.kind !== "leaf")
    fail(
      "E_REPLAY",
      `differencesOf: expected a leaf with a gradient, got ${node ? node.kind : "no node"} #${leaf}`,
    );
  const { shape, name } = node;
  const inside = element.every((at, axis) => Number.isInteger(at) && at >= 0 && at < shape[axis]!);
  if (element.length !== shape.length || !inside)
    fail(
      "E_INDEX",
      `differencesOf: ${name ?? `#${leaf}`} of shape ${formatShape(shape)} has no element [${element.join(", ")}]`,
    );
  return node;
}

function differencesAt(
  loss: (at: number) => number,
  value: number,
  middle: number,
  step: number,
  rule: number,
): DifferenceStep {
  // What is really added: x + h is rounded.
  const [above, below] = [1, -1].map((sign) => value + sign * step * Math.max(1, Math.abs(value))) as [
    number,
    number,
  ];
  const [high, low] = [loss(above), loss(below)];
  const slope = (high - low) / (above - below);
  return {
    step,
    slope,
    left: (middle - low) / (value - below),
    right: (high - middle) / (above - value),
    error: Math.abs(slope - rule) / Math.max(1, Math.abs(rule)),
  };
}

function judged(
  steps: readonly DifferenceStep[],
  rule: number | null,
  middle: number,
): { best: number; verdict: DifferenceVerdict } {
  const best = steps.reduce(
    (least, { error }, i) => (error < steps[least]!.error || Number.isNaN(steps[least]!.error) ? i : least),
    0,
  );
  if (rule === null) return { best, verdict: "not computed" };
  if (isKink(steps, middle)) return { best: closeStep, verdict: "kink" };
  if (!Number.isFinite(rule) || !Number.isFinite(steps[best]!.slope)) return { best, verdict: "not finite" };
  return { best, verdict: steps[best]!.error <= agreement ? "agrees" : "disagrees" };
}

/** Whether the slopes from both sides stay apart as the step shrinks; those of a smooth function come together as the step does. */
function isKink(steps: readonly DifferenceStep[], middle: number): boolean {
  const apart = ({ left, right }: DifferenceStep): number => Math.abs(right - left);
  const [wide, close] = [steps[wideStep]!, steps[closeStep]!];
  const noise = (1e-15 * Math.max(1, Math.abs(middle))) / close.step;
  const scale = Math.max(Math.abs(close.left), Math.abs(close.right), 1e-3);
  return apart(close) > 0.5 * apart(wide) && apart(close) > 1e-3 * scale && apart(close) > 100 * noise;
}
