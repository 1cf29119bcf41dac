import { fail } from "../../errors/index.js";
import type { Idea } from "../../ideas/index.js";
import type { ControlDescription } from "../record.js";
import type { PlanRequest } from "./plan.js";
import { suggestion } from "./nearest.js";

/**
 * The controls of an idea that a request asks for, without those that want to be named where it asks for all, in the idea's order whatever that of the request.
 *
 * @throws E_IDEA for a name that the idea does not have, with the nearest one, and when controls are asked for and it has none
 */
export function chosenControls(
  idea: Idea,
  asked: PlanRequest["controls"] = [],
): readonly ControlDescription[] {
  const all = (idea.controls ?? []).map(
    ({ name, title, statement, why, kind = "trained" }): ControlDescription => ({
      name,
      title,
      statement,
      why,
      kind,
    }),
  );
  if (asked === "all" && all.length === 0) fail("E_IDEA", `the idea ${idea.name} offers no controls`);
  if (asked === "all") {
    const named = new Set((idea.controls ?? []).filter(({ byName }) => byName).map(({ name }) => name));
    return all.filter(({ name }) => !named.has(name));
  }
  const names = all.map(({ name }) => name);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.length > 0 ? suggestion(unknown, names) : "it offers none";
    fail("E_IDEA", `the idea ${idea.name} has no control '${unknown}'; ${known}`);
  }
  return all.filter(({ name }) => asked.includes(name));
}
