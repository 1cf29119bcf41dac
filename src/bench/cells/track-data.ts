import type { Track, TrackData } from "../tracks/index.js";
import { trackOf } from "./build-model.js";
import type { TrainSpec } from "./spec.js";

/** Data of so many seeds is kept: those of a preset, which every configuration and both arms train on. */
const most = 16;

const made = new Map<string, TrackData>();

/** The data of a cell; made once for the cells of one seed that follow each other here. Not to be written to. */
export function dataOf({
  track,
  seed,
  trainSize,
  validationSize,
  testSize,
}: Pick<TrainSpec, "track" | "seed" | "trainSize" | "validationSize" | "testSize">): {
  readonly track: Track;
  readonly data: TrackData;
} {
  const definition = trackOf(track);
  const key = JSON.stringify([track, seed, trainSize, validationSize, testSize]);
  let data = made.get(key);
  if (!data) {
    data = definition.make(seed, { train: trainSize, validation: validationSize, test: testSize });
    if (made.size === most) made.delete(made.keys().next().value!);
    made.set(key, data);
  }
  return { track: definition, data };
}
