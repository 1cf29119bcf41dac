import { dynamics } from "./dynamics.js";
import { sequence } from "./sequence.js";
import type { Track } from "./track.js";

/** The built-in tracks by name. */
export const tracks: ReadonlyMap<string, Track> = new Map(
  [dynamics, sequence].map((track) => [track.name, track]),
);

export type {
  FloorValue,
  MetricName,
  SeriesInput,
  Split,
  SplitSizes,
  TokenInput,
  Track,
  TrackData,
  TrackInput,
  TrackLoss,
  TrackNumbers,
} from "./track.js";
