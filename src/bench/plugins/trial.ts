import { fail, formatGiven } from "../../errors/index.js";
import { builtInIdeas, type Json } from "../../ideas/index.js";
import { buildModel, trackOf } from "../cells/build-model.js";
import { canonicalJson } from "../cells/canonical.js";
import { measureCell } from "../cells/measure-cell.js";
import { runTrainingCell } from "../cells/train-cell.js";
import { forgetData } from "../cells/track-data.js";
import type { TrainSpec } from "../cells/spec.js";
import { watchingClosely } from "./guard/index.js";
import { loadNamed } from "./load-plugins.js";
import { nameOfId, type PluginFile } from "./plugin-file.js";

/** Series of each part of a trial cell: two steps of training and one pass of evaluation. */
const SERIES = 6;

/** A cell of the run, as small as can be. */
function trialSpec(spec: TrainSpec): TrainSpec {
  return {
    ...spec,
    trainSize: SERIES,
    validationSize: 0,
    testSize: SERIES,
    evaluate: "test",
    epochs: 1,
    batchSize: Math.ceil(SERIES / 2),
  };
}

/**
 * Tries the plug-ins of a run before anything is trained: a tiny cell of the idea's arm and one of the baseline, in which every
 * number that goes in or out of a user's function is looked at.
 *
 * @param files the users' files that the cell needs, loaded in this thread
 * @throws E_NONDETERMINISM when the same cell, computed by the file loaded anew, has another result
 * @throws E_IMPURE when a baseline cell has another result after the idea's, when both arms do not start from the same parameters,
 *   or a track's data depend on more than the seed
 * @throws E_PLUGIN, E_IMPURE from the guarded calls
 */
export async function tryPlugins(spec: TrainSpec, files: readonly PluginFile[]): Promise<void> {
  const idea = trialSpec(spec);
  const baseline: TrainSpec = { ...idea, arm: "baseline", idea: null };
  const alone = resultOf(baseline);
  if (spec.idea !== null) requireSameStart(idea, baseline);
  requireLawfulData(idea);
  const first = watchingClosely(() => resultsOf(idea));
  const after = resultOf(baseline);
  if (alone !== after)
    fail(
      "E_IMPURE",
      `a baseline cell gives another result once ${named(spec)} has run in the same thread (${firstDifference(alone, after)}): it ` +
        "changes something that all share, such as a prototype, a global, or the data of a track. Keep what it needs in its own " +
        "closures",
    );
  const twice = watchingClosely(() => resultsOf(idea));
  requireSame(first, twice, spec, "the second time in the same thread");
  for (const file of files) await loadNamed(file);
  forgetData();
  const anew = watchingClosely(() => resultsOf(idea));
  requireSame(first, anew, spec, "the second time with its file loaded anew");
}

function requireSame(first: string, second: string, spec: TrainSpec, when: string): void {
  if (first === second) return;
  fail(
    "E_NONDETERMINISM",
    `${named(spec)} gave two results for one cell, ${when} (${firstDifference(first, second)}). Something outside of the cell takes ` +
      "part: a variable of the module that a call changes, the clock, or random numbers that do not come from the given generator",
  );
}

/** The result of a training cell as text. */
function resultOf(spec: TrainSpec): string {
  return canonicalJson(runTrainingCell(spec, builtInIdeas).result as unknown as Json);
}

/** The results of a training cell and of the measurement on its model, as text. */
function resultsOf(spec: TrainSpec): string {
  const { result } = runTrainingCell(spec, builtInIdeas);
  if (spec.idea === null || result.status !== "ok") return canonicalJson(result as unknown as Json);
  const measured = measureCell({ kind: "measure", trained: spec }, result.weights, builtInIdeas);
  return canonicalJson([result as unknown as Json, measured.result as unknown as Json]);
}

/** Both arms begin with the same parameters, but for what the change brings along. */
function requireSameStart(idea: TrainSpec, baseline: TrainSpec): void {
  const changed = buildModel(idea, builtInIdeas).module.stateDict();
  for (const [name, value] of Object.entries(buildModel(baseline, builtInIdeas).module.stateDict())) {
    const other = changed[name];
    if (other === undefined || formatGiven(other.shape) !== formatGiven(value.shape)) continue;
    const at = value.values().findIndex((number, i) => !Object.is(number, other.values()[i]));
    if (at >= 0)
      fail(
        "E_IMPURE",
        `the model ${nameOfId(idea.model)} begins with other parameters when ${idea.idea?.name} changes it: '${name}' has ` +
          `${other.values()[at]} where the baseline has ${value.values()[at]}. Draw each part from a stream of its own ` +
          '(rng.stream("head")), so that what a change draws, or leaves out, shifts nothing else',
      );
  }
}

/** A track gives the same data for the same seed, and a longer part begins with the shorter one. */
function requireLawfulData({ track: id, seed }: TrainSpec): void {
  const track = trackOf(id);
  const make = (train: number) => track.make(seed, { train, validation: 1, test: 2 });
  const [short, again, long] = [make(2), make(2), make(3)];
  for (const part of ["train", "test"] as const) {
    for (const name of ["x", "y"] as const) {
      const values = short[part][name];
      const differs = (others: ArrayLike<number>): number =>
        values.findIndex((value, i) => !Object.is(value, others[i]));
      if (differs(again[part][name]) >= 0)
        fail(
          "E_NONDETERMINISM",
          `the track ${track.name} made two different ${part}.${name} for seed ${seed}: its data must be a function of seed and sizes alone`,
        );
      if (differs(long[part][name]) >= 0)
        fail(
          "E_IMPURE",
          `the track ${track.name}: ${part}.${name} of seed ${seed} is another one when there is one more training series. Draw each ` +
            'part from a stream of its own (generator(seed).stream("data").stream("train")), series after series',
        );
    }
  }
}

function named({ idea, model, track }: TrainSpec): string {
  const own = [idea?.file && `the idea ${idea.name}`, plugin("model", model), plugin("track", track)];
  return own.filter((one) => one !== undefined && one !== "").join(", ");
}

const plugin = (kind: string, id: string): string => (id.includes("@") ? `the ${kind} ${nameOfId(id)}` : "");

/** Where two texts differ, with what stands there. */
function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, a.lastIndexOf(",", at) + 1);
  const shown = (text: string): string => text.slice(from, from + 40).replaceAll('"', "");
  return `${shown(a)}… against ${shown(b)}…`;
}
