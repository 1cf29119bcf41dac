import { fail } from "../../errors/index.js";
import type { Idea } from "../../ideas/index.js";
import type { SweepGrid } from "../tuning/index.js";
import { suggestion } from "./nearest.js";

/** The name under which a grid has its learning rates. */
const RATE = "lr";

/**
 * What the sweep tries: learning rates under `lr`, and values of the idea's own options that are numbers under their
 * names. The preset's rates stand where no others are given.
 *
 * @throws E_PLAN for a name that is neither `lr` nor such an option, for a name without a value, for a value that comes
 *   twice or is no finite number, and for a rate that is not positive
 */
export function readGrid(
  idea: Idea,
  given: Readonly<Record<string, readonly number[]>>,
  presetRates: readonly number[],
): SweepGrid {
  const spanned = Object.keys(idea.options).filter(
    (name) => name !== RATE && typeof idea.options[name] === "number",
  );
  for (const [name, values] of Object.entries(given)) {
    if (name !== RATE && !spanned.includes(name)) {
      fail(
        "E_PLAN",
        `a grid cannot span '${name}': ${idea.name} has no option of that name that is a number; ` +
          suggestion(name, [RATE, ...spanned]),
      );
    }
    requireValues(name, values);
  }
  const { [RATE]: rates = presetRates, ...options } = given;
  return { rates, options };
}

function requireValues(name: string, values: readonly number[]): void {
  if (values.length === 0) fail("E_PLAN", `the grid needs at least one value of ${name}; found none`);
  const wrong = values.find((value) => !Number.isFinite(value) || (name === RATE && value <= 0));
  if (wrong !== undefined) {
    fail(
      "E_PLAN",
      `the grid takes ${name === RATE ? "positive" : "finite"} values of ${name}; found ${wrong}`,
    );
  }
  const twice = values.find((value, at) => values.indexOf(value) < at);
  if (twice !== undefined) fail("E_PLAN", `the grid takes each value of ${name} once; ${twice} comes twice`);
}
