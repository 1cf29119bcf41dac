import { Tensor } from "../../../autograd/index.js";
import type { TrainedModel } from "../../../ideas/index.js";
import { Module } from "../../../nn/index.js";
import { formatShape, sameShape } from "../../../tensor/index.js";
import type { BenchModel, ModelDefinition, ModelShape } from "../../models/model.js";
import { requirePlaces } from "../../models/places.js";
import { predictedPositions } from "../../tracks/track.js";
import { guardedCall, requireResult, wrongResult, type Owner } from "./call.js";

/** The model of a user's file with every call guarded, as {@link guardIdea} does it for an idea. */
export function guardModel(model: ModelDefinition, path: string): ModelDefinition {
  const owner: Owner = { what: `the model ${model.name}`, path };
  return {
    ...model,
    accepts: (input) => {
      const accepted: unknown = guardedCall(owner, "accepts()", () => model.accepts(input));
      requireResult(owner, "accepts()", typeof accepted === "boolean", "true or false", accepted);
      return accepted as boolean;
    },
    build: (shape, rng, change) => {
      requirePlaces(model, change);
      const built: unknown = guardedCall(owner, "build()", () => model.build(shape, rng, change));
      return guardBuilt(owner, built, shape);
    },
  };
}

function guardBuilt(owner: Owner, value: unknown, { input, outputs }: ModelShape): BenchModel {
  requireResult(
    owner,
    "build()",
    typeof value === "object" && value !== null,
    "an object { module, forward, observe }",
    value,
  );
  const built = value as BenchModel;
  requireResult(
    owner,
    "build()",
    built.module instanceof Module,
    "module to be a Module of gradstand/nn",
    built.module,
  );
  for (const name of ["forward", "observe"] as const)
    requireResult(
      owner,
      "build()",
      typeof built[name] === "function",
      `${name} to be a function`,
      built[name],
    );
  const odd = built.module.namedParameters().find(([, parameter]) => parameter.dtype !== "float32");
  if (odd) wrongResult(owner, "build()", "float32 parameters", `'${odd[0]}' of ${odd[1].dtype}`);
  return {
    ...built,
    module: built.module,
    forward: (x) => {
      const result: unknown = guardedCall(owner, "forward()", () => built.forward(x), true);
      if (!(result instanceof Tensor))
        return wrongResult(
          owner,
          "forward()",
          "a tensor",
          result === undefined ? "undefined; does it lack a `return`?" : typeof result,
        );
      const expected = [x.shape[0]! * predictedPositions(input), outputs];
      if (!sameShape(result.shape, expected))
        wrongResult(
          owner,
          "forward()",
          `a tensor of shape ${formatShape(expected)}`,
          `one of shape ${formatShape(result.shape)}`,
        );
      return result;
    },
    observe: (x) => {
      const trained: unknown = guardedCall(owner, "observe()", () => built.observe(x));
      const { hiddenStates, attentionInputs } = (trained ?? {}) as Partial<TrainedModel>;
      requireResult(
        owner,
        "observe()",
        typeof hiddenStates === "function" && typeof attentionInputs === "function",
        "an object { hiddenStates, attentionInputs } of two functions",
        trained,
      );
      return trained as TrainedModel;
    },
  };
}
