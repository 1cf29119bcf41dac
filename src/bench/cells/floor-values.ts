import type { FloorValue, SplitSizes } from "../tracks/index.js";
import { trackOf } from "./build-model.js";

/** The floors of a track on the data of one seed. */
export function floorValues(track: string, seed: number, sizes: SplitSizes): readonly FloorValue[] {
  const definition = trackOf(track);
  return definition.floors(definition.make(seed, sizes));
}
