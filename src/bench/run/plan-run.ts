import { fail } from "../../errors/index.js";
import { builtInIdeas, type Idea, type IdeaOptions, type ModelChange } from "../../ideas/index.js";
import { generator } from "../../random/index.js";
import { changeOf } from "../cells/build-model.js";
import { canonicalJson } from "../cells/canonical.js";
import type { ModelDefinition } from "../models/index.js";
import { requirePlaces } from "../models/places.js";
import { requireCausal } from "../models/require-causal.js";
import { fileOf, referenceOf } from "../plugins/registry.js";
import { defaultPreset, presets, tuningSeedsOf, type Preset } from "../presets.js";
import type { Protocol } from "../record.js";
import type { Track } from "../tracks/index.js";
import { requireSequentialPlan, type SequentialPlan } from "../sequential/index.js";
import { sweepConfigs, type SweepConfigs } from "../tuning/index.js";
import { chosenControls } from "./chosen-controls.js";
import { resolveOptions } from "./idea-options.js";
import { ideaNamed, modelAsked, presetNamed, trackAsked } from "./lookup.js";
import { optionsWith, type Plan, type PlanRequest } from "./plan.js";
import { readGrid } from "./read-grid.js";
import { readSeeds, requireReachableAlpha } from "./seeds.js";
import { readSizes } from "./sizes.js";
import { requireWellFormed } from "./well-formed.js";

/**
 * Plans a run: the protocol, the arms and what the sweep tries first, nothing of it computed yet.
 *
 * @throws E_IDEA for an unknown idea or option, an idea that is not well formed, or one whose change the model has no place for
 * @throws E_TRACK for an unknown track or model, or a model that cannot read the track
 * @throws E_USAGE for an unknown preset
 * @throws E_PLAN for sizes, seeds or a grid that are none, and for seeds with which no outcome could be significant,
 *   unless the preset refuses a verdict anyway
 */
export function planRun(request: PlanRequest): Plan {
  const idea = typeof request.idea === "string" ? ideaNamed(request.idea) : request.idea;
  requireWellFormed(idea);
  const options = resolveOptions(idea, request.options);
  const track = trackAsked(request.track ?? idea.track, idea);
  const model = modelAsked(request.model ?? idea.model, idea);
  const preset = presetNamed(request.preset ?? defaultPreset);
  const ofPreset = preset.tracks[fileOf(track) === undefined ? track.name : likeTrack];
  if (ofPreset === undefined) refuseTrack(preset, track.name);
  const sizes = readSizes(ofPreset, preset.selection, request.sizes);
  const { sequential } = request;
  if (sequential !== undefined) requireSequential(request, sequential, preset);
  const seeds = readSeeds(sequential?.most ?? request.seeds ?? preset.seeds);
  if (preset.verdict) requireReachableAlpha(seeds.length, preset.alpha, request.comparisons);
  const sweepSeeds = readTuningSeeds(preset, seeds, request.tuningSeeds);
  const grid = readGrid(idea, request.grid ?? {}, ofPreset.rates);
  const sweep = sweepConfigs(grid);
  const controls = chosenControls(idea, request.controls);
  for (const tried of optionsTried(options, sweep)) {
    requireFit(idea, tried, track, model);
    for (const { name } of controls) requireFit(idea, tried, track, model, name);
  }

  const protocol: Protocol = {
    preset: preset.name,
    ...sizes,
    rates: grid.rates,
    grid: sweep.baseline,
    gridOptions: grid.options,
    mostExtensions: preset.mostExtensions,
    batchSize: preset.batchSize,
    optimizer: preset.optimizer,
    selection: preset.selection,
    seeds,
    ...(sequential && { sequential }),
    sweepSeeds: { baseline: sweepSeeds, idea: sweepSeeds },
    alpha: preset.alpha,
  };
  return {
    idea,
    options,
    registered: builtInIdeas.get(idea.name) === idea || fileOf(idea) !== undefined,
    track,
    model,
    preset,
    protocol,
    arms: [
      { name: "baseline", idea: null, sweepSeeds },
      { name: "idea", idea: referenceOf(idea, options), sweepSeeds },
      ...controls
        .filter(({ kind }) => kind === "trained")
        .map(({ name }) => ({
          name: `control:${name}` as const,
          idea: { ...referenceOf(idea, options), control: name },
          sweepSeeds,
        })),
    ],
    controls,
    sweep,
  };
}

/** Every set of options with which a sweep trains the idea. */
export function optionsTried(options: IdeaOptions, sweep: SweepConfigs): readonly IdeaOptions[] {
  const tried = sweep.changed.map((cfg) => optionsWith(options, cfg));
  return [...new Map(tried.map((one) => [canonicalJson(one), one])).values()];
}

/** A sequential plan stands in the place of a number of seeds, and needs models that only tune. */
function requireSequential(request: PlanRequest, sequential: SequentialPlan, preset: Preset): void {
  requireSequentialPlan(sequential, preset.alpha);
  const { seeds, comparisons = 1 } = request;
  if (seeds !== undefined)
    fail("E_PLAN", "a sequential plan says how many seeds there are; leave the number of seeds out");
  if (preset.tuningSeeds === null) {
    fail(
      "E_PLAN",
      `the preset '${preset.name}' chooses the configuration on its final models, so that none can be added later; use the ` +
        "preset 'standard'",
    );
  }
  if (comparisons > 1) {
    fail(
      "E_PLAN",
      `a sequential plan is for one comparison, whose evidence decides when it ends; found ${comparisons}. Run one idea on ` +
        "one track at a time",
    );
  }
}

/** The seeds that rank the configurations, apart from the final ones where the preset has such seeds. */
function readTuningSeeds(
  preset: Preset,
  seeds: readonly number[],
  request: PlanRequest["tuningSeeds"],
): readonly number[] {
  if (preset.tuningSeeds === null) {
    if (request === undefined) return seeds;
    fail(
      "E_PLAN",
      `tuning seeds are given, but the preset '${preset.name}' chooses the configuration on its final models; leave them ` +
        "out, or use the preset 'standard'",
    );
  }
  const read = readSeeds(request ?? preset.tuningSeeds);
  const tuning = typeof request === "number" ? tuningSeedsOf(request) : read;
  const shared = tuning.find((seed) => seeds.includes(seed));
  if (shared !== undefined) {
    fail("E_PLAN", `tuning seeds must be apart from the final seeds; ${shared} is both. Name another one`);
  }
  return tuning;
}

/** A track of a user's file has the sizes and rates of this one. */
const likeTrack = "dynamics";

/** @throws E_PLAN naming the tracks of the preset and the presets of the track */
function refuseTrack(preset: Preset, track: string): never {
  const others = [...presets.values()].filter(({ tracks }) => tracks[track] !== undefined);
  const instead = others.map(({ name }) => `--preset ${name}`).join(" or ");
  return fail(
    "E_PLAN",
    `the preset '${preset.name}' has no protocol for the track ${track}, only for ` +
      `${Object.keys(preset.tracks).join(" and ")}. Choose ${instead || "another track"}`,
  );
}

function requireFit(
  idea: Idea,
  options: IdeaOptions,
  track: Track,
  model: ModelDefinition,
  control?: string,
): void {
  if (!model.accepts(track.input)) {
    fail("E_TRACK", `the model ${model.name} does not take the input of the track ${track.name}`);
  }
  const ideas = new Map([[idea.name, idea]]);
  const makeChange = (): ModelChange =>
    changeOf({ name: idea.name, options, control }, ideas, generator(0).stream("idea"));
  const by = control === undefined ? idea.name : `the control ${control} of ${idea.name}`;
  requirePlaces(model, makeChange(), by);
  if (track.input.kind === "text") requireCausal(makeChange, by);
}
