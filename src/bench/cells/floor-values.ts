import type { FloorValue, SplitSizes } from "../tracks/index.js";
import { dataOf } from "./track-data.js";

/** The floors of a track on the data of one seed. */
export function floorValues(track: string, seed: number, sizes: SplitSizes): readonly FloorValue[] {
  const { track: definition, data } = dataOf({
    track,
    seed,
    trainSize: sizes.train,
    validationSize: sizes.validation ?? 0,
    testSize: sizes.test,
  });
  return definition.floors(data);
}
