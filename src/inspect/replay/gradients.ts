import { onesLike, Tensor } from "../../autograd/index.js";
import { walk } from "../../autograd/walker.js";
import type { Recomputation } from "./recompute.js";

/** The cotangent that the backward pass of a document starts from, in the types in which it is computed again. */
export function startOf({ recording: { cotangent }, stored }: Recomputation, output: Tensor): Tensor {
  return cotangent === undefined ? onesLike(output) : new Tensor(stored.array(cotangent));
}

/** What flows to nodes of a computation that was carried out again: ∂L/∂ each, where something does. */
export function gradientsOf(
  again: Recomputation,
  tensors: readonly Tensor[],
  nodes: readonly number[],
): ReadonlyMap<number, Tensor> {
  const result = tensors[again.document.output]!;
  if (!result.requiresGrad) return new Map();
  const targets = new Set(nodes.map((id) => tensors[id]!));
  const found = walk([result], [startOf(again, result)], (tensor) => targets.has(tensor), {
    retainGraph: true,
  });
  return new Map(nodes.flatMap((id) => (found.has(tensors[id]!) ? [[id, found.get(tensors[id]!)!]] : [])));
}
