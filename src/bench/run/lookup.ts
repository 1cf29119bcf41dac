import { fail, type ErrorCode } from "../../errors/index.js";
import { builtInIdeas, type Idea } from "../../ideas/index.js";
import { models, type ModelDefinition } from "../models/index.js";
import { presets, type Preset } from "../presets.js";
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
