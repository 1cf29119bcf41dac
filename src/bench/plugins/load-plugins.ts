import path from "node:path";
import { fail, kindOfGiven } from "../../errors/index.js";
import { ideaFaults } from "../../ideas/define-idea.js";
import type { Idea } from "../../ideas/index.js";
import { modelFaults } from "../models/define-model.js";
import type { ModelDefinition } from "../models/model.js";
import { trackFaults } from "../tracks/define-track.js";
import type { Track } from "../tracks/track.js";
import { guardIdea, guardModel, guardTrack } from "./guard/index.js";
import { loadModule } from "./load-module.js";
import type { PluginFile } from "./plugin-file.js";
import { requireSharedState, sharedState } from "./shared-state.js";
import { register, type LoadedFile, type Plugins } from "./registry.js";

/**
 * Loads a TypeScript or JavaScript file whose default export is an idea, a track, a model, or a list of these, and makes them
 * known to this thread. The file runs in this thread: one that never ends blocks it.
 *
 * @throws E_PLUGIN_FILE when it cannot be imported or has no default export
 * @throws E_IMPURE when importing it changes what all share, such as a prototype
 * @throws E_IDEA, E_TRACK for an idea, track or model that is not well formed
 */
export async function loadPlugins(file: string): Promise<LoadedFile> {
  const before = sharedState();
  const { exports, main, hash } = await loadModule(file, "E_PLUGIN_FILE");
  requireSharedState(before, `${file}: importing it`);
  const place: PluginFile = { path: path.relative(process.cwd(), path.resolve(file)), hash };
  const { ideas, tracks, models } = pluginsOf(exports, main, file);
  const loaded: LoadedFile = {
    file: place,
    ideas: ideas.map((idea) => guardIdea(idea, place.path)),
    tracks: tracks.map((track) => guardTrack(track, place.path)),
    models: models.map((model) => guardModel(model, place.path)),
  };
  register(loaded);
  return loaded;
}

/** Loads the file of a cell, unless this thread has it already. Throws `E_PLUGIN_FILE` when its content is another one by now. */
export async function loadNamed({ path: place, hash }: PluginFile): Promise<LoadedFile> {
  const loaded = await loadPlugins(place);
  if (loaded.file.hash !== hash)
    fail(
      "E_PLUGIN_FILE",
      `${place}: it was changed while the run was under way; finished cells are stored under the old content. Run the ` +
        "same command again for the new one",
    );
  return loaded;
}

function pluginsOf(exports: Readonly<Record<string, unknown>>, main: unknown, file: string): Plugins {
  if (main === undefined) {
    const named = Object.keys(exports);
    fail(
      "E_PLUGIN_FILE",
      `${file}: expected a default export: an idea, a track, a model, or a list of these; found ` +
        `${named.length === 0 ? "no export" : `the exports ${named.join(", ")}`}. Write \`export default defineIdea({ … })\``,
    );
  }
  const list: readonly unknown[] = Array.isArray(main) ? main : [main];
  if (list.length === 0)
    fail(
      "E_PLUGIN_FILE",
      `${file}: expected an idea, a track or a model in its default export, found an empty list`,
    );
  const plugins = {
    ideas: [] as Idea[],
    tracks: [] as Track[],
    models: [] as ModelDefinition[],
  };
  for (const value of list) {
    if (typeof value !== "object" || value === null) wrongKind(file, value);
    if ("make" in value || "floors" in value) plugins.tracks.push(checked(file, "track", value, trackFaults));
    else if ("build" in value || "accepts" in value)
      plugins.models.push(checked(file, "model", value, modelFaults));
    else if ("change" in value || "checks" in value || "measure" in value)
      plugins.ideas.push(checked(file, "idea", value, ideaFaults));
    else wrongKind(file, value);
  }
  return plugins;
}

function wrongKind(file: string, value: unknown): never {
  const keys =
    typeof value === "object" && value !== null
      ? ` with ${Object.keys(value).join(", ") || "nothing in it"}`
      : "";
  return fail(
    "E_PLUGIN_FILE",
    `${file}: expected its default export to be an idea (change, checks, measure), a track (make, floors) or a model (accepts, ` +
      `build), found ${kindOfGiven(value)}${keys}`,
  );
}

function checked<Plugin>(
  file: string,
  kind: "idea" | "track" | "model",
  value: object,
  faultsOf: (value: unknown) => string[],
): Plugin {
  const faults = faultsOf(value);
  const { name } = value as { readonly name?: unknown };
  if (faults.length > 0)
    fail(
      kind === "idea" ? "E_IDEA" : "E_TRACK",
      `${file}: the ${kind} ${typeof name === "string" && name !== "" ? name : "without a name"} is not well formed: ${faults.join("; ")}`,
    );
  return value as Plugin;
}
