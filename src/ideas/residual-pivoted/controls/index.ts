import type { Control } from "../../idea.js";
import { exactAttentionControl } from "./exact-attention.js";
import { meanOfValuesControl } from "./mean-of-values.js";
import { oracleControl } from "./oracle-svd.js";
import { pivotLawControl } from "./pivot-law.js";
import { positiveFeaturesControl } from "./positive-features.js";
import { segmentMeansControl } from "./segment-means.js";

/** What residual-pivoted attention must be measured against. */
export const residualPivotedControls: readonly Control[] = [
  exactAttentionControl,
  pivotLawControl(
    "uniform",
    "every row of [Q; K] with anything left is as likely to be the next pivot",
    "following the residual is worth nothing: any rows would do",
  ),
  pivotLawControl(
    "greedy",
    "the row with the largest residual is the next pivot",
    "drawing pivots at random is worth nothing beside always taking the largest residual",
  ),
  pivotLawControl(
    "gaussian",
    "pivots in proportion to the residual of the Gaussian kernel, whose diagonal is 1",
    "the norms of queries and keys need not enter the law of the pivots",
  ),
  meanOfValuesControl,
  segmentMeansControl,
  positiveFeaturesControl,
  oracleControl,
];
