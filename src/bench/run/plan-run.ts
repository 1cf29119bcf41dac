import { fail } from "../../errors/index.js";
import { builtInIdeas, type Idea, type IdeaOptions } from "../../ideas/index.js";
import { generator } from "../../random/index.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import { cellKey } from "../cells/key.js";
import type { Arm, TrainSpec } from "../cells/spec.js";
import type { ModelDefinition } from "../models/index.js";
import { requirePlaces } from "../models/places.js";
import { defaultPreset } from "../presets.js";
import type { Protocol } from "../record.js";
import type { Track } from "../tracks/index.js";
import { resolveOptions } from "./idea-options.js";
import { ideaNamed, modelNamed, presetNamed, trackNamed } from "./lookup.js";
import type { Plan, PlannedCell, PlanRequest } from "./plan.js";
import { readSeeds, requireReachableAlpha } from "./seeds.js";
import { readSizes } from "./sizes.js";
import { requireWellFormed } from "./well-formed.js";

/**
 * Plans a run: the protocol and every training cell, nothing of it computed yet.
 *
 * @throws E_IDEA for an unknown idea or option, an idea that is not well formed, or one whose change the model has no place for
 * @throws E_TRACK for an unknown track or model, or a model that cannot read the track
 * @throws E_USAGE for an unknown preset
 * @throws E_PLAN for sizes that are none, and for seeds with which no outcome could be significant, unless the
 *   preset refuses a verdict anyway
 */
export function planRun(request: PlanRequest): Plan {
  const idea = typeof request.idea === "string" ? ideaNamed(request.idea) : request.idea;
  requireWellFormed(idea);
  const options = resolveOptions(idea, request.options);
  const track = trackNamed(request.track ?? idea.track);
  const model = modelNamed(request.model ?? idea.model);
  const preset = presetNamed(request.preset ?? defaultPreset);
  const ofPreset = preset.tracks[track.name];
  if (ofPreset === undefined)
    fail("E_PLAN", `the preset '${preset.name}' has no protocol for the track ${track.name}`);
  const sizes = readSizes(ofPreset, request.sizes);
  const seeds = readSeeds(request.seeds ?? preset.seeds);
  if (preset.verdict) requireReachableAlpha(seeds.length, preset.alpha);
  requireFit(idea, options, track, model);

  const protocol: Protocol = {
    preset: preset.name,
    ...sizes,
    grid: ofPreset.grid,
    batchSize: preset.batchSize,
    optimizer: preset.optimizer,
    selection: preset.selection,
    seeds,
    sweepSeeds: { baseline: seeds, idea: seeds },
    alpha: preset.alpha,
  };
  const registered = builtInIdeas.get(idea.name) === idea;
  const cells = sweepCells(idea, options, track, model, protocol);
  return { idea, options, registered, track, model, preset, protocol, cells };
}

function requireFit(idea: Idea, options: IdeaOptions, track: Track, model: ModelDefinition): void {
  if (!model.accepts(track.input)) {
    fail("E_TRACK", `the model ${model.name} does not take the input of the track ${track.name}`);
  }
  requirePlaces(model, idea.change(options, generator(0).stream("idea")), idea.name);
}

/** The cells of both arms: configuration by configuration, seed by seed, the baseline first. */
function sweepCells(
  idea: Idea,
  options: IdeaOptions,
  track: Track,
  model: ModelDefinition,
  protocol: Protocol,
): readonly PlannedCell[] {
  const fingerprint = packageFingerprint();
  const cell = (arm: Arm, cfg: Protocol["grid"][number], seed: number): PlannedCell => {
    const spec: TrainSpec = {
      kind: "train",
      track: track.name,
      model: model.name,
      arm,
      cfg,
      seed,
      trainSize: protocol.trainSize,
      testSize: protocol.testSize,
      epochs: protocol.epochs,
      batchSize: protocol.batchSize,
      optimizer: protocol.optimizer,
      idea: arm === "idea" ? { name: idea.name, options } : null,
    };
    return { key: cellKey(spec, fingerprint), spec };
  };
  return protocol.grid.flatMap((cfg) =>
    protocol.seeds.flatMap((seed) => [cell("baseline", cfg, seed), cell("idea", cfg, seed)]),
  );
}
