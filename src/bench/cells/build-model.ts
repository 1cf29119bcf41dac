import { fail } from "../../errors/index.js";
import type { Control, Idea, ModelChange } from "../../ideas/index.js";
import { generator, type Generator } from "../../random/index.js";
import { models, type BenchModel, type ModelDefinition } from "../models/index.js";
import { nameOfId, pluginId } from "../plugins/plugin-file.js";
import { pluginIdea, pluginModel, pluginTrack } from "../plugins/registry.js";
import { tracks, type Track } from "../tracks/index.js";
import type { IdeaReference, TrainSpec } from "./spec.js";

/** Ideas by name. */
export type IdeaRegistry = ReadonlyMap<string, Idea>;

/** @throws E_TRACK when there is no such track, built in or from a file that this thread loaded */
export function trackOf(id: string): Track {
  return (
    tracks.get(id) ??
    pluginTrack(id) ??
    fail("E_TRACK", `a cell names the track '${nameOfId(id)}', which does not exist here`)
  );
}

/** @throws E_TRACK when there is no such model, built in or from a file that this thread loaded */
export function modelOf(id: string): ModelDefinition {
  return (
    models.get(id) ??
    pluginModel(id) ??
    fail("E_TRACK", `a cell names the model '${nameOfId(id)}', which does not exist here`)
  );
}

/** @throws E_IDEA when there is no such idea, built in or from a file that this thread loaded */
export function ideaOf({ name, file }: IdeaReference, ideas: IdeaRegistry): Idea {
  return (
    (file === undefined ? ideas.get(name) : pluginIdea(pluginId(name, file))) ??
    fail("E_IDEA", `a cell names the idea '${name}', which is not known here`)
  );
}

/** @throws E_IDEA when the idea has no control of this name */
export function controlOf(idea: Idea, name: string): Control {
  return (
    idea.controls?.find((control) => control.name === name) ??
    fail("E_IDEA", `a cell names the control '${name}', which ${idea.name} does not have here`)
  );
}

/** The change that a reference stands for: the idea's own, or that of one of its controls. */
export function changeOf(reference: IdeaReference, ideas: IdeaRegistry, rng: Generator): ModelChange {
  const idea = ideaOf(reference, ideas);
  const { control, options } = reference;
  return (control === undefined ? idea : controlOf(idea, control)).change(options, rng);
}

/** The stream of a seed that only the idea draws from. */
export function ideaStream(seed: number, use: "change" | "checks" | "measure"): Generator {
  return generator(seed).stream("idea").stream(use);
}

/** The model of a training cell before its first step; both arms of a seed begin with the same parameters. */
export function buildModel(spec: TrainSpec, ideas: IdeaRegistry): BenchModel {
  const change = spec.idea === null ? {} : changeOf(spec.idea, ideas, ideaStream(spec.seed, "change"));
  return modelOf(spec.model).build(trackOf(spec.track), generator(spec.seed).stream("init"), change);
}
