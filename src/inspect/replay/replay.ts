import { observe } from "../../autograd/observe.js";
import { checkedOptions } from "../../errors/index.js";
import type { InspectDocument, InspectNode } from "../document.js";
import { backwardPass } from "../record/backward-pass.js";
import { NodeRecorder, type Place } from "../record/node-recorder.js";
import type { Change } from "./changes.js";
import { startOf } from "./gradients.js";
import { Recomputation, type ReplayOptions } from "./recompute.js";

/**
 * Computes a recorded computation again, with other values of leaves and constants: the same operations, forward and backward, from the
 * document alone. The result is a document of the same shape; without changes it is equal to the last bit, where the same kernels
 * are in use. What the code decided by looking at values is frozen: branches taken, numbers of steps, and tensors that it made of
 * numbers that it had read. Random numbers are those that were drawn. A constant that shares a leaf's value, as after `detach()`,
 * follows it.
 *
 * @throws E_REPLAY when the document does not hold what is needed, or a change names the result of an operation; E_INDEX, E_SHAPE
 *   for changes that do not fit
 */
export function replay(
  document: InspectDocument,
  changes: readonly Change[] = [],
  options: ReplayOptions = {},
): InspectDocument {
  checkedOptions("replay", options);
  const again = new Recomputation(document, options);
  const { full, allowed, cotangent } = again.recording;
  let at: InspectNode | undefined;
  const nodes = new NodeRecorder(full, () => placeOf(at!), allowed);
  const { tensors } = observe(
    (observation) => nodes.carriedOut(observation),
    () =>
      again.run(changes, {
        given: ({ name }, tensor) => nodes.given(tensor, name),
        before: (node) => (at = node),
        alias: (tensor, id) => nodes.alias(tensor, id),
      }),
  );
  const output = tensors[document.output]!;
  const start = startOf(again, output);
  if (cotangent !== undefined) nodes.kept!.started(start);
  return {
    ...document,
    nodes: nodes.nodes,
    operations: nodes.operations,
    events: backwardPass(output, start, nodes, full),
    recording: nodes.kept!.recording,
  };
}

function placeOf({ call, time, source }: InspectNode): Place {
  return {
    ...(call !== undefined && { call }),
    ...(time !== undefined && { time }),
    ...(source && { source }),
  };
}
