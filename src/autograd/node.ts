import type { Lifetime } from "./lifetime.js";
import type { Op } from "./op.js";
import type { Tensor } from "./tensor.js";

/** A recorded operation: how a tensor was made. Ids rise with time, so that falling ids are a backward order. */
export interface GraphNode {
  readonly id: number;
  readonly op: Op<never>;
  /** undefined once the graph was freed: an op may keep large intermediate values here. */
  attributes: unknown;
  /** undefined once a backward pass has freed the graph. */
  inputs: readonly Tensor[] | undefined;
  /** The version of each input when it was used. */
  readonly versions: readonly number[];
  /** The scope that it was recorded in. */
  readonly lifetime: Lifetime | undefined;
}

/** Lets go of what a node holds; a later backward pass over it is refused with `E_GRAPH_FREED`. */
export function free(node: GraphNode): void {
  node.inputs = undefined;
  node.attributes = undefined;
}

/**
 * Whether no backward pass can go through a node any more: it was freed, or something that it was made from was. The
 * latter frees it too, so that a running total of losses does not hold on to every loss there was.
 */
export function isSpent(node: GraphNode): boolean {
  const { inputs } = node;
  if (!inputs) return true;
  for (let i = 0; i < inputs.length; i++) {
    const before = inputs[i]!.node;
    if (before && !before.inputs) {
      free(node);
      return true;
    }
  }
  return false;
}
