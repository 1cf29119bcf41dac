import { digits } from "./digits.js";
import { dynamics } from "./dynamics.js";
import { field } from "./field.js";
import { language } from "./language.js";
import { recall } from "./recall.js";
import { sequence } from "./sequence.js";
import type { Track } from "./track.js";

/** The built-in tracks by name. */
export const tracks: ReadonlyMap<string, Track> = new Map(
  [dynamics, sequence, field, recall, language, digits].map((track) => [track.name, track]),
);

export type {
  FloorValue,
  Forecast,
  FurtherMetric,
  FurtherMetrics,
  MetricName,
  SeriesInput,
  Split,
  SplitSizes,
  TextInput,
  TokenInput,
  Track,
  TrackData,
  TrackInput,
  TrackLoss,
  TrackNumbers,
} from "./track.js";
export { predictedPositions, targetWidth } from "./track.js";
