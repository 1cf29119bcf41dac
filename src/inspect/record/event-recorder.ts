import { onesLike, type Tensor } from "../../autograd/index.js";
import type { Contribution } from "../../autograd/hook.js";
import type { GraphNode } from "../../autograd/node.js";
import type { Op } from "../../autograd/op.js";
import type { BackwardEvent, Summary } from "../document.js";
import { elementwiseOperations } from "../operation-text.js";
import { birthOfPart } from "./birth.js";
import type { NodeRecorder } from "./node-recorder.js";
import { summarize } from "./summarize.js";

/** The contributions of a backward pass as events, in the order in which they come. */
export class EventRecorder {
  readonly events: BackwardEvent[] = [];
  /** What has flowed to each tensor. */
  readonly #sums = new Map<Tensor, Tensor>();

  constructor(
    private readonly full: number,
    private readonly nodes: NodeRecorder,
  ) {}

  /** Notes a contribution between tensors that are known. */
  add({ node, output, input, tensor, part, sum }: Contribution): void {
    const to = this.nodes.idOf(tensor);
    const from = output === undefined ? null : this.nodes.idOf(output);
    if (to === undefined || from === undefined) return;
    const added = this.#sums.has(tensor);
    if (sum) this.#sums.set(tensor, sum);
    const local = node && output && part && this.#local(node, output, input);
    const summary = part ? summarize(part.array, this.full) : null;
    const finite = !summary?.nan && !summary?.inf && !summary?.negInf;
    const birth = finite || !node || !output ? undefined : this.#birth(node, output, part!);
    this.events.push({
      from,
      input,
      to,
      part: summary,
      ...(added && part && { sum: summarize(sum!.array, this.full) }),
      ...(local && { local }),
      ...(birth && { birth }),
    });
  }

  /** The derivative in one input, where the operation works element by element and is small. */
  #local({ op, inputs, attributes }: GraphNode, output: Tensor, input: number): Summary | undefined {
    if (output.size > this.full || !elementwiseOperations.has(op.name)) return undefined;
    const needs = inputs!.map((_, i) => i === input);
    const cotangent = onesLike(output);
    const found = (op as unknown as Op<unknown>).vjp({
      cotangent,
      inputs: inputs!,
      output,
      attributes,
      needs,
    });
    const local = found[input];
    return local && summarize(local.array, this.full);
  }

  #birth({ op, inputs }: GraphNode, output: Tensor, part: Tensor): BackwardEvent["birth"] {
    const arrays = inputs!.map(({ array }) => array);
    return birthOfPart(op.name, arrays, output.array, this.#sums.get(output)!.array, part.array);
  }
}
