import { fail, type ErrorCode } from "../../errors/index.js";
import { builtInIdeas, type Idea } from "../../ideas/index.js";
import { models, type ModelDefinition } from "../models/index.js";
import { presets, type Preset } from "../presets.js";
import { fileOf, loadedByName } from "../plugins/registry.js";
import { tracks, type Track } from "../tracks/index.js";
import { suggestion } from "./nearest.js";

function named<Value>(kind: string, name: string, known: ReadonlyMap<string, Value>, code: ErrorCode): Value {
  return known.get(name) ?? fail(code, `no ${kind} is called '${name}'; ${suggestion(name, known.keys())}`);
}

/** @throws E_IDEA with the nearest name */
export const ideaNamed = (name: string): Idea => named("idea", name, builtInIdeas, "E_IDEA");

/** @throws E_TRACK with the nearest name */
export const trackNamed = (name: string): Track => named("track", name, tracks, "E_TRACK");

/** @throws E_TRACK with the nearest name */
export const modelNamed = (name: string): ModelDefinition => named("model", name, models, "E_TRACK");

/** @throws E_USAGE with the nearest name */
export const presetNamed = (name: string): Preset => named("preset", name, presets, "E_USAGE");

/** A track of the idea's own file, a built-in one, or one that another file brought. Throws `E_TRACK` with the nearest name. */
export const trackAsked = (asked: string | Track, idea: Idea): Track =>
  pluginAsked("track", asked, idea, tracks, loadedByName(fileOf(idea)).tracks);

/** A model, found as {@link trackAsked} finds a track. */
export const modelAsked = (asked: string | ModelDefinition, idea: Idea): ModelDefinition =>
  pluginAsked("model", asked, idea, models, loadedByName(fileOf(idea)).models);

function pluginAsked<Plugin extends { readonly name: string }>(
  kind: "track" | "model",
  asked: string | Plugin,
  idea: Idea,
  builtIn: ReadonlyMap<string, Plugin>,
  loaded: ReadonlyMap<string, Plugin>,
): Plugin {
  if (typeof asked === "string") {
    const found = loaded.get(asked);
    const beside = found !== undefined && fileOf(found)?.hash === fileOf(idea)?.hash;
    return beside ? found : named(kind, asked, new Map([...loaded, ...builtIn]), "E_TRACK");
  }
  if (builtIn.get(asked.name) !== asked && fileOf(asked) === undefined)
    fail(
      "E_TRACK",
      `the ${kind} ${asked.name} is neither built in nor loaded; write it into a file and load that with loadPlugins(file)`,
    );
  return asked;
}
