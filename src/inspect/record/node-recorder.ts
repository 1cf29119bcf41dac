import type { Tensor } from "../../autograd/index.js";
import type { Observation } from "../../autograd/observe.js";
import type { NDArray } from "../../tensor/index.js";
import type { InspectNode, OperationText } from "../document.js";
import { operationText } from "../operation-text.js";
import { plainAttributes } from "./attributes.js";
import { birthOfValue } from "./birth.js";
import { deadUnitsOf } from "./dead-units.js";
import { hiddenRowsOf } from "./hidden-rows.js";
import { ReplayRecorder } from "./replay-recorder.js";
import { summarize } from "./summarize.js";

/** Copies of leaves are recognised by their elements from this size on. */
const tellingSize = 4;

/** Where in the user's modules, time and code an operation belongs. */
export type Place = Pick<InspectNode, "call" | "time" | "source">;

/** The tensors of a computation as nodes, in the order in which they appear. */
export class NodeRecorder {
  readonly nodes: InspectNode[] = [];
  readonly operations: Record<string, OperationText> = {};
  readonly #ids = new Map<Tensor, number>();
  readonly #arrays = new Map<NDArray, number>();
  /** Leaves with a gradient, whose copies without one are recognised. */
  readonly #leaves: { readonly tensor: Tensor; readonly id: number }[] = [];

  /** What is kept for `replay`, where that was asked for. */
  readonly kept: ReplayRecorder | undefined;

  constructor(
    private readonly full: number,
    private readonly placeOf: (observation: Observation) => Place,
    replayable: number | undefined,
  ) {
    this.kept = replayable === undefined ? undefined : new ReplayRecorder(full, replayable, this);
  }

  /** The node of a tensor that is known. */
  idOf(tensor: Tensor): number | undefined {
    return this.#ids.get(tensor);
  }

  /** The first node with an array. */
  idOfArray(array: NDArray): number | undefined {
    return this.#arrays.get(array);
  }

  /** Another tensor that stands for a node. */
  alias(tensor: Tensor, id: number): void {
    this.#ids.set(tensor, id);
  }

  /** The node of a tensor that no operation made here: a new one unless it is known. */
  given(tensor: Tensor, name?: string): number {
    const known = this.#ids.get(tensor);
    if (known !== undefined) return known;
    const { shape, dtype, array, requiresGrad } = tensor;
    const copyOf = requiresGrad ? undefined : this.#originalOf(tensor);
    const shared = this.#arrays.get(array);
    const id = this.#add(tensor, {
      kind: requiresGrad ? "leaf" : "constant",
      ...(name !== undefined && { name }),
      shape,
      dtype,
      value: summarize(array, this.full),
      requiresGrad,
      ...(copyOf !== undefined && { copyOf }),
    });
    if (requiresGrad) this.#leaves.push({ tensor, id });
    this.kept?.given(id, tensor, shared);
    return id;
  }

  /** The node of the result of an operation. */
  carriedOut(observation: Observation): void {
    const { op, attributes, inputs, output } = observation;
    const ids = inputs.map((input) => this.given(input));
    const value = summarize(output.array, this.full);
    const finite = !value.nan && !value.inf && !value.negInf;
    const arrays = inputs.map(({ array }) => array);
    const birth = finite ? undefined : birthOfValue(op.name, arrays, output.array);
    const hiddenRows = hiddenRowsOf(op.name, inputs, attributes);
    const deadUnits = deadUnitsOf(op.name, output.array);
    const shown = plainAttributes(attributes);
    const { call, time, source } = this.placeOf(observation);
    this.operations[op.name] ??= operationText(op.name);
    const id = this.#add(output, {
      kind: "operation",
      op: op.name,
      inputs: ids,
      ...(shown && { attributes: shown }),
      shape: output.shape,
      dtype: output.dtype,
      value,
      requiresGrad: output.requiresGrad,
      ...(call !== undefined && { call }),
      ...(time !== undefined && { time }),
      ...(source && { source }),
      ...(birth && { birth }),
      ...(hiddenRows && { hiddenRows }),
      ...(deadUnits && { deadUnits }),
    });
    const flows = ids.map((input) => this.nodes[input]!.requiresGrad);
    this.kept?.carriedOut(id, observation, flows);
  }

  #add(tensor: Tensor, node: Omit<InspectNode, "id">): number {
    const id = this.nodes.length;
    this.nodes.push({ id, ...node });
    this.#ids.set(tensor, id);
    if (!this.#arrays.has(tensor.array)) this.#arrays.set(tensor.array, id);
    return id;
  }

  /** The node that a tensor without gradient has its value from: the same array, or the elements of a leaf. */
  #originalOf({ array }: Tensor): number | undefined {
    const shared = this.#arrays.get(array);
    if (shared !== undefined) return this.nodes[shared]!.requiresGrad ? shared : undefined;
    if (array.size < tellingSize) return undefined;
    return this.#leaves.find(({ tensor }) => sameElements(tensor.array, array))?.id;
  }
}

function sameElements(a: NDArray, b: NDArray): boolean {
  if (a.dtype !== b.dtype || a.size !== b.size) return false;
  const [first] = a.data;
  let varied = false;
  for (let i = 0; i < a.size; i++) {
    if (!Object.is(a.data[i], b.data[i])) return false;
    varied ||= a.data[i] !== first;
  }
  return varied;
}
