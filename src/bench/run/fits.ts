import { GradstandError } from "../../errors/index.js";
import type { Idea } from "../../ideas/index.js";
import { generator } from "../../random/index.js";
import { requirePlaces } from "../models/places.js";
import type { ModelDefinition } from "../models/index.js";
import type { Track } from "../tracks/index.js";
import { floorValues } from "../cells/floor-values.js";
import { idOf } from "../plugins/registry.js";

/** A model that takes a track's input, and the ideas whose changes it has the places for, all by name. */
export interface FittingModel {
  readonly model: string;
  readonly ideas: readonly string[];
}

/** What can run on a track: an idea with its options as they are by default. */
export function fittingModels(
  track: Track,
  models: readonly ModelDefinition[],
  ideas: readonly Idea[],
): readonly FittingModel[] {
  return models
    .filter((model) => model.accepts(track.input))
    .map((model) => ({
      model: model.name,
      ideas: ideas.filter((idea) => fits(idea, model)).map(({ name }) => name),
    }));
}

function fits(idea: Idea, model: ModelDefinition): boolean {
  try {
    requirePlaces(model, idea.change(idea.options, generator(0).stream("idea")));
    return true;
  } catch (error) {
    if (error instanceof GradstandError && error.code === "E_IDEA") return false;
    throw error;
  }
}

/** Series from which the floors of a track are computed only to learn their names. */
const few = { train: 32, validation: 8, test: 8 };

/** The names of the floors that a track always reports. */
export function floorNames(track: Track): readonly string[] {
  return floorValues(idOf(track), 0, few).map(({ name }) => name);
}
