import type { Track, TrackData } from "../tracks/index.js";
import { trackOf } from "./build-model.js";
import type { TrainSpec } from "./spec.js";

/**
 * Data of so many bytes are kept: for most tracks those of every seed of a preset, which every configuration and arm
 * trains on. A worker holds them as long as it lives.
 */
const most = 2 ** 26;

const made = new Map<string, TrackData>();

/** Makes the data anew from now on: those who made them may have been loaded again. */
export function forgetData(): void {
  made.clear();
}

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
    keep(key, data);
  }
  return { track: definition, data };
}

/** Keeps new data, and lets the oldest go where there are too many. */
function keep(key: string, data: TrackData): void {
  made.set(key, data);
  let bytes = [...made.values()].reduce((sum, kept) => sum + bytesOf(kept), 0);
  for (const [oldest, kept] of made) {
    if (bytes <= most || oldest === key) return;
    made.delete(oldest);
    bytes -= bytesOf(kept);
  }
}

function bytesOf(data: TrackData): number {
  return Object.values(data).reduce((sum, { x, y }) => sum + x.byteLength + y.byteLength, 0);
}
