import { fail, kindOfGiven } from "../../errors/index.js";
import type { ModelDefinition } from "./model.js";

/**
 * A model, with its shape checked at once.
 *
 * @throws E_TRACK naming everything that is missing or of another kind
 */
export function defineModel(model: ModelDefinition): ModelDefinition {
  const faults = modelFaults(model);
  if (faults.length > 0)
    fail("E_TRACK", `the model ${String(model?.name)} is not well formed: ${faults.join("; ")}`);
  return model;
}

/** What keeps a value from being a model; empty when nothing does. */
export function modelFaults(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [`expected an object, got ${kindOfGiven(value)}`];
  const given = value as Readonly<Record<string, unknown>>;
  const requirements: readonly (readonly [name: string, holds: boolean, what: string])[] = [
    ...["name", "title", "description"].map(
      (name) => [name, typeof given[name] === "string" && given[name] !== "", "a text"] as const,
    ),
    [
      "places",
      Array.isArray(given.places) && given.places.every((place) => typeof place === "string"),
      'a list of places such as ["hidden"]',
    ],
    ...["accepts", "build"].map((name) => [name, typeof given[name] === "function", "a function"] as const),
  ];
  return requirements
    .filter(([, holds]) => !holds)
    .map(([name, , what]) => `${name}: expected ${what}, got ${kindOfGiven(given[name])}`);
}
