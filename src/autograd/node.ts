import type { Op } from "./op.js";
import type { Tensor } from "./tensor.js";

/** A recorded operation: how a tensor was made. Ids rise with time, so that falling ids are a backward order. */
export interface GraphNode {
  readonly id: number;
  readonly op: Op<never>;
  readonly attributes: unknown;
  /** undefined once a backward pass has freed the graph. */
  inputs: readonly Tensor[] | undefined;
  /** The version of each input when it was used. */
  readonly versions: readonly number[];
}
