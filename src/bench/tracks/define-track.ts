import { fail, kindOfGiven } from "../../errors/index.js";
import type { MetricName, Track, TrackLoss } from "./track.js";

/** The metric that goes with a loss, except on text. */
const metricOf: Readonly<Record<string, MetricName>> = {
  "squared error": "MSE",
  "cross-entropy": "accuracy",
} satisfies Record<TrackLoss, MetricName>;

/** A text is scored in bits, whose loss is the cross-entropy. */
const textMetric: MetricName = "bits per character";

/**
 * A track, with its shape checked at once.
 *
 * @throws E_TRACK naming everything that is missing or of another kind
 */
export function defineTrack(track: Track): Track {
  const faults = trackFaults(track);
  if (faults.length > 0)
    fail("E_TRACK", `the track ${String(track?.name)} is not well formed: ${faults.join("; ")}`);
  return track;
}

/** What keeps a value from being a track; empty when nothing does. */
export function trackFaults(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [`expected an object, got ${kindOfGiven(value)}`];
  const given = value as Readonly<Record<string, unknown>>;
  const input = given.input as { readonly kind?: unknown } | null | undefined;
  const isText = input?.kind === "text";
  const metric = isText ? textMetric : metricOf[String(given.loss)];
  const requirements: readonly (readonly [name: string, holds: boolean, what: string])[] = [
    ...["name", "title", "description", "defaultModel"].map(
      (name) => [name, typeof given[name] === "string" && given[name] !== "", "a text"] as const,
    ),
    [
      "metric",
      given.metric === metric || metric === undefined,
      `"${metric}" for this ${isText ? "input" : "loss"}`,
    ],
    isText
      ? ["loss", given.loss === "cross-entropy", '"cross-entropy", for a text']
      : ["loss", metricOf[String(given.loss)] !== undefined, '"squared error" or "cross-entropy"'],
    ["direction", given.direction === "lower" || given.direction === "higher", '"lower" or "higher"'],
    [
      "input",
      typeof input?.kind === "string",
      'an object such as { kind: "series", steps: 32, features: 2 }',
    ],
    [
      "outputs",
      Number.isSafeInteger(given.outputs) && (given.outputs as number) > 0,
      "a whole number of at least 1",
    ],
    ...["make", "floors"].map((name) => [name, typeof given[name] === "function", "a function"] as const),
  ];
  return requirements
    .filter(([, holds]) => !holds)
    .map(([name, , what]) => `${name}: expected ${what}, got ${kindOfGiven(given[name])}`);
}
