import { elementwiseRows } from "./rows/operations/elementwise.js";
import { functionRows } from "./rows/operations/function.js";
import { plainRows } from "./rows/operations/plain.js";
import { reductionRows } from "./rows/operations/reduction.js";
import { structuralRows } from "./rows/operations/structural.js";

/** The whole matrix, in groups of rows of which each is run by a test file of its name. */
export const matrix = {
  elementwise: elementwiseRows,
  reduction: reductionRows,
  structural: structuralRows,
  plain: plainRows,
  function: functionRows,
};

export type Group = keyof typeof matrix;
