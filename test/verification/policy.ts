import type { LevelNumber } from "./levels.js";

/** What kind of thing a row is about. */
export type SubjectClass =
  | "elementwise"
  | "structural"
  | "reduction"
  | "plain"
  | "function"
  | "layer"
  | "loss"
  | "optimizer"
  | "schedule"
  | "idea";

/** The row must have a check; or it must have one or a reason; or the class as a whole has none, for a reason. */
export type Demand = "required" | "judged" | { readonly never: string };

const noGradient = { never: "has no gradient" };
const noTraining = { never: "trains nothing by itself" };
const manyElements = { never: "an element of the result depends on many: level 2" };
const moves = { never: "moves elements and computes nothing: exact at level 0" };

/** The levels that every differentiable operation must pass. */
const differentiable = { 3: "required", 4: "required", 5: "required", 6: "required", 7: "required" } as const;

/** What others found wrong, of a kind that any operation with a gradient may share. */
const operationSources = { 9: "required", 11: "judged" } as const;

/** What follows from a row's own sources. */
const sources = { 9: "judged", 11: "judged" } as const;

/** What each level demands of each class. */
export const policy: Readonly<Record<SubjectClass, Readonly<Record<LevelNumber, Demand>>>> = {
  elementwise: {
    0: "judged",
    1: "required",
    2: "judged",
    ...differentiable,
    8: "required",
    10: noTraining,
    ...operationSources,
  },
  structural: {
    0: "required",
    1: moves,
    2: moves,
    ...differentiable,
    8: "judged",
    10: noTraining,
    ...operationSources,
  },
  reduction: {
    0: "judged",
    1: manyElements,
    2: "required",
    ...differentiable,
    8: "required",
    10: noTraining,
    ...operationSources,
  },
  plain: {
    0: "required",
    1: { never: "its result is a truth value or an index: exact at level 0" },
    2: { never: "its result is a truth value or an index: exact at level 0" },
    3: noGradient,
    4: noGradient,
    5: noGradient,
    6: noGradient,
    7: "required",
    8: "judged",
    10: noTraining,
    ...sources,
  },
  function: {
    0: "judged",
    1: "judged",
    2: "judged",
    ...differentiable,
    8: "judged",
    10: noTraining,
    ...sources,
  },
  layer: {
    0: "judged",
    1: manyElements,
    2: "judged",
    ...differentiable,
    8: "judged",
    10: "judged",
    ...sources,
  },
  loss: {
    0: "judged",
    1: manyElements,
    2: "judged",
    ...differentiable,
    8: "required",
    10: "judged",
    ...sources,
  },
  optimizer: {
    0: "judged",
    1: noGradient,
    2: "judged",
    3: noGradient,
    4: noGradient,
    5: noGradient,
    6: noGradient,
    7: "required",
    8: "required",
    10: "judged",
    ...sources,
  },
  schedule: {
    0: "required",
    1: { never: "a number for a step: exact at level 0" },
    2: { never: "a number for a step: exact at level 0" },
    3: noGradient,
    4: noGradient,
    5: noGradient,
    6: noGradient,
    7: { never: "a number for a step: exact at level 0" },
    8: "judged",
    10: noTraining,
    ...sources,
  },
  idea: {
    0: "judged",
    1: manyElements,
    2: "judged",
    3: "required",
    4: "required",
    5: "required",
    6: "judged",
    7: "required",
    8: "judged",
    10: "judged",
    ...sources,
  },
};

/** Rows that may give a reason at a level which their class requires. */
export const exceptions: Readonly<Record<string, readonly LevelNumber[]>> = {
  cast: [3, 6, 8],
};
