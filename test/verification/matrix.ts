import { attentionRows } from "./rows/nn/attention.js";
import { momentRank2Rows } from "./rows/ideas/moment-rank2.js";
import { hierarchicalRows } from "./rows/ideas/hierarchical.js";
import { powerMomentRows } from "./rows/ideas/power-moments.js";
import { residualPivotedRows } from "./rows/ideas/residual-pivoted.js";
import { lossRows } from "./rows/nn/losses.js";
import { trainingRows } from "./rows/nn/training.js";
import { recurrentRows } from "./rows/nn/recurrent.js";
import { layerRows } from "./rows/nn/layers.js";
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
  layer: layerRows,
  recurrent: recurrentRows,
  attention: attentionRows,
  loss: lossRows,
  training: trainingRows,
  idea: [...momentRank2Rows, ...hierarchicalRows, ...powerMomentRows, ...residualPivotedRows],
};

export type Group = keyof typeof matrix;
