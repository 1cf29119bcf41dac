import { fail } from "../../errors/index.js";
import type { TrackProtocol } from "../presets.js";

/** The sizes of a protocol that a request may change. */
export type Sizes = Pick<TrackProtocol, "trainSize" | "testSize" | "epochs">;

/**
 * A preset's sizes with those of a request in their place.
 *
 * @throws E_PLAN for a size that is no whole number of at least 1
 */
export function readSizes(preset: Sizes, request: Partial<Sizes> = {}): Sizes {
  const size = (name: keyof Sizes): number => {
    const value = request[name] ?? preset[name];
    if (!Number.isSafeInteger(value) || value < 1) {
      fail("E_PLAN", `${name} must be a whole number of at least 1; found ${value}`);
    }
    return value;
  };
  return { trainSize: size("trainSize"), testSize: size("testSize"), epochs: size("epochs") };
}
