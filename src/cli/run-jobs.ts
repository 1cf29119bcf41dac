import path from "node:path";
import { planRun, type Plan } from "../bench/index.js";
import { fail } from "../errors/index.js";
import { countOf, listOf, pairsOf, textOf, type Arguments } from "./arguments.js";

/** A plan, what its progress is called, and the folder where its report goes. */
export interface Job {
  readonly plan: Plan;
  readonly name: string;
  readonly folder: string;
}

/**
 * The jobs of a `bench run`, one family: one an idea and a track. A report goes to `reports/IDEA`, or to the folder of
 * `--out`: of several ideas each has its own folder there, and of several tracks each its own in that. Throws `E_USAGE`, and what `planRun` throws.
 */
export function runJobs(args: Arguments): Job[] {
  const names = (args._ as unknown[]).map(String);
  if (names.length === 0)
    fail("E_USAGE", "bench run: expected the name of an idea; `gradstand bench list` shows them");
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) fail("E_USAGE", `bench run: ${twice} is named twice`);
  const out = textOf(args, "out");
  const [seeds, train, test, epochs] = [
    countOf(args, "seeds"),
    countOf(args, "train"),
    countOf(args, "test"),
    countOf(args, "epochs"),
  ];
  const [preset, model] = [textOf(args, "preset"), textOf(args, "model")];
  const tracks = [...listOf(args, "track"), ...listOf(args, "tracks")];
  const trackTwice = tracks.find((name, at) => tracks.indexOf(name) < at);
  if (trackTwice !== undefined) fail("E_USAGE", `bench run: the track ${trackTwice} is named twice`);
  const parent = (idea: string): string =>
    out === undefined ? path.join("reports", idea) : names.length === 1 ? out : path.join(out, idea);
  const comparisons = names.flatMap((idea): { idea: string; track: string | undefined }[] =>
    tracks.length === 0 ? [{ idea, track: undefined }] : tracks.map((track) => ({ idea, track })),
  );
  return comparisons.map(({ idea, track }) => ({
    plan: planRun({
      idea,
      options: pairsOf(args, "option"),
      ...(preset !== undefined && { preset }),
      ...(track !== undefined && { track }),
      ...(model !== undefined && { model }),
      ...(seeds !== undefined && { seeds }),
      sizes: {
        ...(train !== undefined && { trainSize: train }),
        ...(test !== undefined && { testSize: test }),
        ...(epochs !== undefined && { epochs }),
      },
    }),
    name: tracks.length > 1 ? `${idea} on ${track}` : idea,
    folder: tracks.length > 1 ? path.join(parent(idea), track!) : parent(idea),
  }));
}
