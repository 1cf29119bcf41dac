import type { Tensor } from "../../autograd/index.js";
import { observe } from "../../autograd/observe.js";
import { walk } from "../../autograd/walker.js";
import type { BackwardEvent } from "../document.js";
import { EventRecorder } from "./event-recorder.js";
import type { NodeRecorder } from "./node-recorder.js";

/** The backward pass from an output to the leaves among the nodes, as events; none where nothing flows. */
export function backwardPass(
  output: Tensor,
  cotangent: Tensor,
  nodes: NodeRecorder,
  full: number,
): readonly BackwardEvent[] {
  const events = new EventRecorder(full, nodes);
  if (!output.requiresGrad) return events.events;
  const isLeaf = (tensor: Tensor): boolean => {
    const id = nodes.idOf(tensor);
    return id !== undefined && nodes.nodes[id]!.kind === "leaf";
  };
  observe(
    () => undefined,
    () => walk([output], [cotangent], isLeaf, { retainGraph: true }),
    { contributed: (contribution) => events.add(contribution) },
  );
  return events.events;
}
