import { fail, formatGiven } from "../errors/index.js";
import { formatShape } from "../tensor/index.js";
import { fitted } from "./fitted.js";
import { hook, type Hook } from "./hook.js";
import { free, type GraphNode } from "./node.js";
import type { Op, VjpContext } from "./op.js";
import { withRecording } from "./record.js";
import { Tensor } from "./tensor.js";

/** How a backward pass treats the graph. */
export interface WalkOptions {
  /** Keep what was recorded, so that a second pass can use it. Default: the value of `createGraph`. */
  readonly retainGraph?: boolean;
  /** Record the backward pass itself, so that its results can be differentiated. Default false. */
  readonly createGraph?: boolean;
}

/** A recorded tensor on the way back. */
interface Stop {
  readonly tensor: Tensor;
  readonly node: GraphNode;
  /** The stops of the inputs that were recorded themselves. */
  readonly before: (Stop | undefined)[];
  /** Whether it is a target or leads to one. */
  leads: boolean;
  /** The sum of what has flowed here so far. */
  cotangent: Tensor | undefined;
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
  const found = new Map<Tensor, Tensor>();
  /** Adds to what has flowed to a tensor, at its stop when it was recorded. */
  const flow: Flow = (tensor, stop, part) => {
    if (stop) stop.cotangent = stop.cotangent ? stop.cotangent.add(part) : part;
    else {
      const before = found.get(tensor);
      found.set(tensor, before ? before.add(part) : part);
    }
  };
  const listener = hook?.contributed;
  const audience = listener && {
    tell: listener,
    soFar: (tensor: Tensor, stop: Stop | undefined) => (stop ? stop.cotangent : found.get(tensor)),
  };
  return withRecording(createGraph, () => {
    const { stops, ends } = route(outputs);
    for (const stop of stops) stop.leads = isTarget(stop.tensor) || reachesTarget(stop, isTarget);
    outputs.forEach((output, i) => {
      if (!(ends[i]?.leads ?? isTarget(output))) return;
      const part = cotangents[i]!;
      flow(output, ends[i], part);
      const sum = audience?.soFar(output, ends[i]);
      audience?.tell({ node: undefined, output: undefined, input: i, tensor: output, part, sum });
    });
    for (let at = stops.length - 1; at >= 0; at--) {
      const stop = stops[at]!;
      if (!stop.leads) continue;
      const { cotangent, tensor, node } = stop;
      if (cotangent) {
        if (isTarget(tensor)) found.set(tensor, cotangent);
        passOn(stop, cotangent, isTarget, flow, audience);
        stop.cotangent = undefined;
      }
      if (!retainGraph) free(node);
    }
    return found;
  });
}

/** Every recorded tensor that the outputs were made of, by rising id, and the stops of the outputs. */
function route(outputs: readonly Tensor[]): { stops: Stop[]; ends: (Stop | undefined)[] } {
  const known = new Map<GraphNode, Stop>();
  const stops: Stop[] = [];
  const stopOf = (tensor: Tensor): Stop | undefined => {
    const { node } = tensor;
    if (!node) return undefined;
    let stop = known.get(node);
    if (!stop) {
      stop = { tensor, node, before: [], leads: false, cotangent: undefined };
      known.set(node, stop);
      stops.push(stop);
    }
    return stop;
  };
  const ends = outputs.map(stopOf);
  for (let at = 0; at < stops.length; at++) {
    const { node, before } = stops[at]!;
    if (!node.inputs) {
      fail(
        "E_GRAPH_FREED",
        `backward: part of the graph up to '${node.op.name}' was used by an earlier pass and freed; call that pass as ` +
          "backward({ retainGraph: true }), or run the forward pass again",
      );
    }
    if (node.lifetime?.ended) {
      fail(
        "E_SCOPE",
        `backward: '${node.op.name}' was recorded in a scope that has ended, and what it computed there is gone; ` +
          "run backward() inside the scope",
      );
    }
    for (const input of node.inputs) before.push(stopOf(input));
  }
  stops.sort((a, b) => a.node.id - b.node.id);
  return { stops, ends };
}

function reachesTarget({ node, before }: Stop, isTarget: (tensor: Tensor) => boolean): boolean {
  return before.some((stop, i) => (stop ? stop.leads : isTarget(node.inputs![i]!)));
}

/** Adds a cotangent to what has flowed to a tensor. */
type Flow = (tensor: Tensor, stop: Stop | undefined, part: Tensor) => void;

/** Whoever wants to know of each contribution. */
interface Audience {
  readonly tell: NonNullable<Hook["contributed"]>;
  readonly soFar: (tensor: Tensor, stop: Stop | undefined) => Tensor | undefined;
}

/** One rule: from the cotangent of a tensor to those of what it was made of. */
function passOn(
  { tensor, node, before }: Stop,
  cotangent: Tensor,
  isTarget: (tensor: Tensor) => boolean,
  flow: Flow,
  audience: Audience | undefined,
): void {
  const inputs = node.inputs!;
  const needs = before.map((stop, i) => (stop ? stop.leads : isTarget(inputs[i]!)));
  if (!needs.includes(true)) return;
  checkFresh(node);
  const op = node.op as unknown as Op<unknown>;
  const context: VjpContext<unknown> = {
    cotangent,
    inputs,
    output: tensor,
    attributes: node.attributes,
    needs,
  };
  const parts = op.vjp(context);
  if (!Array.isArray(parts) || !areCotangents(parts)) {
    fail(
      "E_VALUE",
      `the gradient rule of '${op.name}' gave ${formatGiven(parts)}; expected a list of tensors`,
    );
  }
  if (parts.length !== inputs.length) {
    fail(
      "E_SHAPE",
      `the gradient rule of '${op.name}' gave ${parts.length} cotangents for ${inputs.length} inputs; expected one each`,
    );
  }
  for (let i = 0; i < inputs.length; i++) {
    if (!needs[i]) continue;
    const input = inputs[i]!;
    const stop = before[i];
    const part = parts[i] && fitted(parts[i], input, op.name);
    if (part) flow(input, stop, part);
    audience?.tell({
      node,
      output: tensor,
      input: i,
      tensor: input,
      part,
      sum: audience.soFar(input, stop),
    });
  }
}

/** Whether each is a tensor, or undefined, as is a gap. */
function areCotangents(parts: readonly unknown[]): boolean {
  for (let i = 0; i < parts.length; i++) {
    if (parts[i] !== undefined && !(parts[i] instanceof Tensor)) return false;
  }
  return true;
}

/** Throws `E_STALE` when an input was assigned to after the operation was recorded. */
function checkFresh({ op, inputs, versions }: GraphNode): void {
  for (let i = 0; i < versions.length; i++) {
    const input = inputs![i]!;
    if (input.version === versions[i]) continue;
    fail(
      "E_STALE",
      `backward: input ${i} of '${op.name}', shape ${formatShape(input.shape)}, was assigned to after it was used ` +
        `(version ${versions[i]}, now ${input.version}); run backward() before the update, or the forward pass again`,
    );
  }
}
