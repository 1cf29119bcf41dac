import type { ModelDefinition } from "./model.js";
import { rnnSmall } from "./rnn-small.js";
import { transformerTiny } from "./transformer-tiny.js";

/** The built-in models by name. */
export const models: ReadonlyMap<string, ModelDefinition> = new Map(
  [rnnSmall, transformerTiny].map((model) => [model.name, model]),
);

export type { BenchModel, ChangePlace, ModelDefinition, ModelShape } from "./model.js";
