import { fail } from "../../errors/index.js";
import type { ModelChange } from "../../ideas/index.js";
import type { ChangePlace, ModelDefinition } from "./model.js";

/**
 * @param by what asks for the change, for the message
 * @throws E_IDEA when the change needs a place that the model does not have, or a width that is none
 */
export function requirePlaces(
  model: Pick<ModelDefinition, "name" | "places">,
  change: ModelChange,
  by = "the change",
): void {
  const wanted = (Object.keys(change) as (keyof ModelChange)[]).filter(
    (key): key is ChangePlace => key !== "modules" && key !== "attentionDecoder" && change[key] !== undefined,
  );
  const missing = wanted.filter((place) => !model.places.includes(place));
  if (missing.length > 0) {
    fail(
      "E_IDEA",
      `${by} changes the ${missing.join(" and ")} of a model, and ${model.name} has no such place; it has: ` +
        `${model.places.join(", ")}. Choose another model`,
    );
  }
  const { width } = change;
  if (width !== undefined && !(Number.isSafeInteger(width) && width >= 1)) {
    fail("E_IDEA", `${by} asks for a width of ${width}; expected a whole number of at least 1`);
  }
}
