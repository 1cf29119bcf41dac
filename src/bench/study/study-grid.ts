import { fail } from "../../errors/index.js";
import type { StudyPoint, StudyValue } from "../cells/spec.js";
import { suggestion } from "../run/nearest.js";
import type { Study, StudyGrid } from "./study.js";

/**
 * The grid of a study with other values for some of its axes. An axis of numbers takes any finite number, which the study
 * itself may refuse; an axis of words takes the study's own words.
 *
 * @throws E_PLAN for an axis or a word that the study does not have, an axis without a value, one that comes twice, and what
 *   is no number
 */
export function readStudyGrid(
  { name, grid }: Pick<Study, "name" | "grid">,
  given: Readonly<Record<string, readonly string[]>>,
): StudyGrid {
  for (const axis of Object.keys(given)) {
    if (!(axis in grid))
      fail("E_PLAN", `the study ${name} has no axis '${axis}'; ${suggestion(axis, Object.keys(grid))}`);
  }
  return Object.fromEntries(
    Object.entries(grid).map(([axis, own]) => [axis, given[axis] ? readAxis(axis, given[axis], own) : own]),
  );
}

function readAxis(axis: string, words: readonly string[], own: readonly StudyValue[]): readonly StudyValue[] {
  if (words.length === 0 || words.includes(""))
    fail(
      "E_PLAN",
      `the axis ${axis} needs at least one value; found ${words.length === 0 ? "none" : "an empty one"}`,
    );
  const values = words.map((word) =>
    typeof own[0] === "number" ? readNumber(axis, word) : readWord(axis, word, own),
  );
  const twice = values.find((value, at) => values.indexOf(value) < at);
  if (twice !== undefined) fail("E_PLAN", `the axis ${axis} takes each value once; ${twice} comes twice`);
  return values;
}

function readNumber(axis: string, word: string): number {
  const value = Number(word);
  return word.trim() !== "" && Number.isFinite(value)
    ? value
    : fail("E_PLAN", `the axis ${axis} takes finite numbers; found "${word}"`);
}

function readWord(axis: string, word: string, own: readonly StudyValue[]): string {
  const words = own.map(String);
  return words.includes(word)
    ? word
    : fail("E_PLAN", `the axis ${axis} has no value '${word}'; ${suggestion(word, words)}`);
}

/** Every combination of the values of all axes, the last axis changing fastest. */
export function combinations(grid: StudyGrid): readonly StudyPoint[] {
  return Object.entries(grid).reduce<readonly StudyPoint[]>(
    (points, [axis, values]) =>
      points.flatMap((point) => values.map((value) => ({ ...point, [axis]: value }))),
    [{}],
  );
}
