import { fail } from "../../errors/index.js";
import type { EvaluatedPart } from "../cells/spec.js";
import type { TrackProtocol } from "../presets.js";

/** The sizes of a protocol that a request may change. */
export type Sizes = Pick<TrackProtocol, "trainSize" | "validationSize" | "testSize" | "epochs">;

/**
 * A preset's sizes with those of a request in their place.
 *
 * @throws E_PLAN for a size that is no whole number of at least 1, and for a validation part that nothing would read
 */
export function readSizes(preset: Sizes, selection: EvaluatedPart, request: Partial<Sizes> = {}): Sizes {
  const size = (name: keyof Sizes): number => {
    const value = request[name] ?? preset[name];
    if (!Number.isSafeInteger(value) || value < 1) {
      fail("E_PLAN", `${name} must be a whole number of at least 1; found ${value}`);
    }
    return value;
  };
  if (selection === "test" && request.validationSize !== undefined) {
    fail(
      "E_PLAN",
      `validationSize is ${request.validationSize}, but this preset chooses the configuration on the test part and reads ` +
        "no validation part; leave it out, or use the preset 'standard'",
    );
  }
  return {
    trainSize: size("trainSize"),
    validationSize: selection === "validation" ? size("validationSize") : 0,
    testSize: size("testSize"),
    epochs: size("epochs"),
  };
}
