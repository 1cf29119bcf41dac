import path from "node:path";
import { planRun, type Plan, type SequentialPlan, type Track } from "../bench/index.js";
import { fail } from "../errors/index.js";
import type { Idea } from "../ideas/index.js";
import { countOf, listOf, numberListsOf, pairsOf, textOf, wordsOf, type Arguments } from "./arguments.js";
import { noFiles, type NamedFiles } from "./named-files.js";

/** A plan, what its progress is called, and the folder where its report goes. */
export interface Job {
  readonly plan: Plan;
  readonly name: string;
  readonly folder: string;
}

/**
 * The jobs of a `bench run`, one family: one an idea and a track. A report goes to `reports/IDEA`, or to the folder of
 * `--out`: of several ideas each has its own folder there, and of several tracks each its own in that. `files` are those that the
 * words name. Throws `E_USAGE`, and what `planRun` throws.
 */
export function runJobs(args: Arguments, files: NamedFiles = noFiles, command = "bench run"): Job[] {
  const names = (args._ as unknown[]).map(String);
  if (names.length === 0)
    fail(
      "E_USAGE",
      `${command}: expected the name of an idea, or a file with one; \`gradstand bench list\` shows them`,
    );
  const out = textOf(args, "out");
  const [seeds, tuningSeeds, train, validation, test, epochs] = [
    countOf(args, "seeds"),
    countOf(args, "tuning-seeds"),
    countOf(args, "train"),
    countOf(args, "validation"),
    countOf(args, "test"),
    countOf(args, "epochs"),
  ];
  const sequential = sequentialOf(args);
  const [preset, model] = [textOf(args, "preset"), textOf(args, "model")];
  const controls = wordsOf(args, "controls");
  const asked = names.flatMap((name) => files.ideas(name));
  requireOnce(`${command}: `, asked.map(nameOf));
  const tracks = [...listOf(args, "track"), ...listOf(args, "tracks")].map((word) => files.track(word));
  requireOnce(`${command}: the track `, tracks.map(nameOf));
  const parent = (idea: string): string =>
    out === undefined ? path.join("reports", idea) : asked.length === 1 ? out : path.join(out, idea);
  const comparisons = asked.flatMap((idea): { idea: Named<Idea>; track: Named<Track> | undefined }[] =>
    tracks.length === 0 ? [{ idea, track: undefined }] : tracks.map((track) => ({ idea, track })),
  );
  return comparisons.map(({ idea, track }) => ({
    plan: planRun({
      idea,
      options: pairsOf(args, "option"),
      ...(controls !== undefined && { controls }),
      ...(preset !== undefined && { preset }),
      ...(track !== undefined && { track }),
      ...(model !== undefined && { model: files.model(model) }),
      ...(seeds !== undefined && { seeds }),
      ...(tuningSeeds !== undefined && { tuningSeeds }),
      comparisons: comparisons.length,
      ...(sequential !== undefined && { sequential }),
      grid: numberListsOf(args, "grid"),
      sizes: {
        ...(train !== undefined && { trainSize: train }),
        ...(validation !== undefined && { validationSize: validation }),
        ...(test !== undefined && { testSize: test }),
        ...(epochs !== undefined && { epochs }),
      },
    }),
    name: tracks.length > 1 ? `${nameOf(idea)} on ${nameOf(track!)}` : nameOf(idea),
    folder: tracks.length > 1 ? path.join(parent(nameOf(idea)), nameOf(track!)) : parent(nameOf(idea)),
  }));
}

/** A built-in by its name, or one of a user's file. */
type Named<Plugin> = string | Plugin;

function nameOf(named: Named<{ readonly name: string }>): string {
  return typeof named === "string" ? named : named.name;
}

function requireOnce(what: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) fail("E_USAGE", `${what}${twice} is named twice`);
}

/** The plan of `--sequential`; undefined when it was left out. Throws `E_USAGE`. */
function sequentialOf(args: Arguments): SequentialPlan | undefined {
  const text = textOf(args, "sequential");
  if (text === undefined) return undefined;
  const [, start, step, most] = /^(\d+),(\d+),(\d+)$/.exec(text) ?? [];
  if (most === undefined)
    fail("E_USAGE", `--sequential: expected START,STEP,MOST, such as 8,4,32, got "${text}"`);
  return { start: Number(start), step: Number(step), most: Number(most) };
}
