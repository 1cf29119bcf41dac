import { fail } from "../errors/index.js";
import { broadcastsTo, formatShape, sameShape } from "../tensor/index.js";
import { free, type GraphNode } from "./node.js";
import type { Op, VjpContext } from "./op.js";
import { withRecording } from "./record.js";
import type { Tensor } from "./tensor.js";

/** How a backward pass treats the graph. */
export interface WalkOptions {
  /** Keep what was recorded, so that a second pass can use it. Default: the value of `createGraph`. */
  readonly retainGraph?: boolean;
  /** Record the backward pass itself, so that its results can be differentiated. Default false. */
  readonly createGraph?: boolean;
}

/**
 * Carries cotangents from the outputs back to the targets and returns those that were reached. Iterative: a graph of
 * any depth. The order is that of falling node ids, so that the same graph gives the same bits every time; a tensor
 * used several times sums its contributions in that order. Only what leads to a target is visited.
 */
export function walk(
  outputs: readonly Tensor[],
  cotangents: readonly Tensor[],
  isTarget: (tensor: Tensor) => boolean,
  options: WalkOptions = {},
): Map<Tensor, Tensor> {
  const createGraph = options.createGraph ?? false;
  const retainGraph = options.retainGraph ?? createGraph;
  return withRecording(createGraph, () => {
    const order = leadingNodes(outputs, isTarget);
    const leads = new Set<GraphNode>(order.map(({ node }) => node));
    const pending = new Map<Tensor, Tensor>();
    const wanted = (tensor: Tensor): boolean =>
      (tensor.node ? leads.has(tensor.node) : false) || isTarget(tensor);
    outputs.forEach((output, i) => {
      if (wanted(output)) accumulate(pending, output, cotangents[i]!);
    });
    for (let at = order.length - 1; at >= 0; at--) {
      const { tensor, node } = order[at]!;
      const cotangent = pending.get(tensor);
      if (!isTarget(tensor)) pending.delete(tensor);
      if (cotangent) step(tensor, node, cotangent, wanted, pending);
      if (!retainGraph) free(node);
    }
    for (const tensor of pending.keys()) if (!isTarget(tensor)) pending.delete(tensor);
    return pending;
  });
}

/** The recorded tensors between outputs and targets, by rising id. */
function leadingNodes(
  outputs: readonly Tensor[],
  isTarget: (tensor: Tensor) => boolean,
): { readonly tensor: Tensor; readonly node: GraphNode }[] {
  const reached: { tensor: Tensor; node: GraphNode }[] = [];
  const seen = new Set<GraphNode>();
  const stack = [...outputs];
  for (let tensor = stack.pop(); tensor; tensor = stack.pop()) {
    const { node } = tensor;
    if (!node || seen.has(node)) continue;
    seen.add(node);
    reached.push({ tensor, node });
    if (!node.inputs) {
      fail(
        "E_GRAPH_FREED",
        `backward: the graph of '${node.op.name}' was used by an earlier pass and freed; give that pass { retainGraph: true }`,
      );
    }
    for (const input of node.inputs) if (input.requiresGrad) stack.push(input);
  }
  reached.sort((a, b) => a.node.id - b.node.id);
  const leads = new Set<GraphNode>();
  return reached.filter(({ tensor, node }) => {
    const does =
      isTarget(tensor) ||
      node.inputs!.some((input) => isTarget(input) || (input.node !== undefined && leads.has(input.node)));
    if (does) leads.add(node);
    return does;
  });
}

/** One rule: from the cotangent of a tensor to those of what it was made of. */
function step(
  output: Tensor,
  node: GraphNode,
  cotangent: Tensor,
  wanted: (tensor: Tensor) => boolean,
  pending: Map<Tensor, Tensor>,
): void {
  const inputs = node.inputs!;
  const needs = inputs.map(wanted);
  if (!needs.includes(true)) return;
  inputs.forEach((input, i) => {
    if (input.version !== node.versions[i]) {
      fail(
        "E_STALE",
        `backward: input ${i} of '${node.op.name}', shape ${formatShape(input.shape)}, was assigned to after it was used ` +
          `(version ${node.versions[i]}, now ${input.version}); run backward() before the update, or the forward pass again`,
      );
    }
  });
  const op = node.op as unknown as Op<unknown>;
  const context: VjpContext<unknown> = { cotangent, inputs, output, attributes: node.attributes, needs };
  const parts = op.vjp(context);
  if (parts.length !== inputs.length) {
    fail(
      "E_SHAPE",
      `the gradient rule of '${op.name}' gave ${parts.length} cotangents for ${inputs.length} inputs; expected one each`,
    );
  }
  for (let i = 0; i < inputs.length; i++) {
    const part = parts[i];
    if (needs[i] && part) accumulate(pending, inputs[i]!, fitted(part, inputs[i]!, op.name));
  }
}

/** Undoes broadcasting and promotion: sums the cotangent down to the shape and casts it to the type of the input. */
function fitted(part: Tensor, input: Tensor, name: string): Tensor {
  let fit = part;
  if (!sameShape(fit.shape, input.shape)) {
    if (!broadcastsTo(input.shape, fit.shape)) {
      fail(
        "E_SHAPE",
        `the gradient rule of '${name}' gave shape ${formatShape(fit.shape)} for an input of shape ${formatShape(input.shape)}`,
      );
    }
    const missing = fit.rank - input.rank;
    const axes = fit.shape
      .map((_, axis) => axis)
      .filter((axis) => axis < missing || input.shape[axis - missing] !== fit.shape[axis]);
    fit = fit.sum(axes, { keepDims: true });
    if (!sameShape(fit.shape, input.shape)) fit = fit.reshape(input.shape);
  }
  return fit.dtype === input.dtype ? fit : fit.cast(input.dtype);
}

function accumulate(pending: Map<Tensor, Tensor>, tensor: Tensor, part: Tensor): void {
  const before = pending.get(tensor);
  pending.set(tensor, before ? before.add(part) : part);
}
