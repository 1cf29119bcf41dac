import type { Json } from "../../../ideas/index.js";
import type { Report } from "../document-v2.js";
import { leavesOf, pathSteps, valueAt } from "../path.js";
import { figureCheck, type Clue } from "./check.js";

/**
 * Keys whose texts explain figures and are no figures themselves: a later version may word them differently.
 */
const wording = new Set(["rule", "reasons", "inequalities", "text"]);

/** A check of every figure of a recomputed section, and of every other figure that the report has there. */
export function derivedChecks(report: Report, path: string, section: object, chosen = ""): Clue[] {
  const isFigure = ([leaf]: [string, Json]): boolean =>
    !pathSteps(leaf).some((key) => wording.has(String(key)));
  const figures = leavesOf(section, path).filter(isFigure);
  const known = new Set(figures.map(([leaf]) => leaf));
  const surplus = leavesOf(valueAt(report, path), path)
    .filter(isFigure)
    .filter(
      ([leaf]) =>
        leaf !== `${path}.${chosen}` &&
        !known.has(leaf) &&
        ![...known].some((one) => leaf.startsWith(`${one}[`)),
    );
  return [
    ...figures.map(([leaf, value]) => figureCheck(report, leaf, value)),
    ...surplus.map(([leaf, reported]): Clue => ({
      kind: "figure",
      path: leaf,
      reported,
      recomputed: null,
      relativeError: undefined,
      holds: false,
      note: "does not belong here",
      implied: undefined,
      suspects: [],
    })),
  ];
}
