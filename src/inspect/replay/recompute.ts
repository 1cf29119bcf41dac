import { Tensor } from "../../autograd/index.js";
import { definitionOf } from "../../autograd/define-op.js";
import type { Op } from "../../autograd/op.js";
import { apply, applyPlain, withRecording } from "../../autograd/record.js";
import { fail, GradstandError } from "../../errors/index.js";
import { isFloating } from "../../tensor/index.js";
import type { InspectDocument, InspectNode } from "../document.js";
import type { Recording } from "../recording.js";
import { changed, changesByNode, type Change } from "./changes.js";
import { replayableOperations, type ReplayableOperation, type Settings } from "./operations.js";
import { Stored } from "./stored.js";

/** Options of {@link replay} and of what is built on it. */
export interface ReplayOptions {
  /** Operations that the document's code made with `defineOp`, by name, as `defineOp` returned them. */
  readonly operations?: Readonly<Record<string, object>>;
  /** Compute everything that was float32 in float64. Default: as it was. */
  readonly dtype?: "float64";
}

/** What is told while a document is computed again. */
export interface Watch {
  /** A leaf or a constant. */
  readonly given?: (node: InspectNode, tensor: Tensor) => void;
  /** Before an operation is carried out. */
  readonly before?: (node: InspectNode) => void;
  /** A tensor that stands for a node. */
  readonly alias?: (tensor: Tensor, node: number) => void;
  /** The values of nodes that are held where no gradient flows though a number does: copies, and what was computed without recording. */
  readonly held?: readonly Tensor[];
}

/** A computation that was carried out again. */
export interface Recomputed {
  /** The value of each node. */
  readonly tensors: readonly Tensor[];
  /** What each operation got beside its inputs, and what it left there; undefined for leaves and constants. */
  readonly attributes: readonly unknown[];
}

/** A recorded computation that can be carried out again, forward. */
export class Recomputation {
  readonly recording: Recording;
  readonly stored: Stored;
  readonly #own: ReadonlyMap<string, ReplayableOperation>;

  /** @throws E_REPLAY when the document does not hold what is needed */
  constructor(
    readonly document: InspectDocument,
    { operations = {}, dtype }: ReplayOptions = {},
  ) {
    this.recording = recordingOf(document);
    this.stored = new Stored(this.recording, dtype ?? "float32");
    this.#own = new Map(Object.entries(operations).map(([name, given]) => [name, ownOperation(name, given)]));
    for (const node of document.nodes) if (node.op !== undefined) this.#operationOf(node);
  }

  /** Carries it out, with other values of leaves and constants. */
  run(changes: readonly Change[] = [], watch: Watch = {}): Recomputed {
    const byNode = changesByNode(this.document, changes);
    const tensors: Tensor[] = [];
    const attributes: unknown[] = [];
    for (const node of this.document.nodes) {
      if (watch.held && this.#isHeld(node)) {
        tensors.push(watch.held[node.id]!);
        continue;
      }
      if (node.kind !== "operation") {
        const tensor = this.#given(node, tensors, byNode.get(node.id));
        tensors.push(tensor);
        watch.given?.(node, tensor);
        continue;
      }
      const own = this.#attributes(node, tensors, attributes);
      attributes[node.id] = own;
      const inputs = this.#inputs(node, tensors, watch);
      watch.before?.(node);
      tensors.push(this.#carriedOut(node, inputs, own));
    }
    return { tensors, attributes };
  }

  #isHeld({ id, op, inputs = [], requiresGrad, dtype }: InspectNode): boolean {
    if (requiresGrad) return false;
    if (op === undefined) return typeof this.recording.values[id] === "object";
    const flows = inputs.some((input) => this.document.nodes[input]!.requiresGrad);
    return flows && isFloating(dtype);
  }

  #given(node: InspectNode, tensors: readonly Tensor[], changes: readonly Change[] | undefined): Tensor {
    const value = this.recording.values[node.id]!;
    const array = typeof value === "number" ? this.stored.array(value) : tensors[value.of]!.array;
    return new Tensor(changed(array, changes), node.requiresGrad);
  }

  #inputs(node: InspectNode, tensors: readonly Tensor[], { alias, held }: Watch): Tensor[] {
    const cut = this.recording.cut[node.id];
    return node.inputs!.map((input, i) => {
      if (!cut?.includes(i)) return tensors[input]!;
      const tensor = (held ?? tensors)[input]!.detach();
      alias?.(tensor, input);
      return tensor;
    });
  }

  #attributes(node: InspectNode, tensors: readonly Tensor[], attributes: readonly unknown[]): unknown {
    const { complete, settings } = this.#operationOf(node);
    const stored = this.recording.settings[node.id];
    if (stored === undefined) return undefined;
    const own = this.stored.setting(stored, (id) => tensors[id]!);
    if (complete && settings)
      return complete(own as Settings, (input) => attributes[node.inputs![input]!], this.stored.single);
    return own;
  }

  #carriedOut(node: InspectNode, inputs: readonly Tensor[], attributes: unknown): Tensor {
    const { definition, plain } = this.#operationOf(node);
    const op = definition as unknown as Op<unknown>;
    return plain
      ? applyPlain(op, inputs, attributes)
      : withRecording(node.requiresGrad, () => apply(op, inputs, attributes));
  }

  #operationOf(node: InspectNode): ReplayableOperation {
    const name = node.op!;
    const title = `${name} #${node.id}`;
    const closed = this.recording.closed[node.id];
    if (closed !== undefined)
      fail("E_REPLAY", `replay: ${title} has a setting that a document cannot hold: ${closed}`);
    if (!this.recording.foreign.includes(node.id)) return replayableOperations.get(name)!;
    const own = this.#own.get(name);
    if (!own)
      fail(
        "E_REPLAY",
        `replay: ${title} is no operation of the package that can be carried out on its own, and a document holds no code; ` +
          `if you made it with defineOp, give it: { operations: { ${JSON.stringify(name)}: … } }`,
      );
    return own;
  }
}

/** The computation of a document that can be carried out again; undefined where `replay` would refuse. */
export function whereReplayable(
  document: InspectDocument,
  options: ReplayOptions = {},
): Recomputation | undefined {
  try {
    return new Recomputation(document, options);
  } catch (error) {
    if (error instanceof GradstandError && error.code === "E_REPLAY") return undefined;
    throw error;
  }
}

function recordingOf({ recording }: InspectDocument): Recording {
  if (!recording)
    fail(
      "E_REPLAY",
      "replay: the document does not hold the values of its leaves whole; record it with { replayable: true }",
    );
  if (recording.refusal !== undefined) fail("E_REPLAY", `replay: ${recording.refusal}`);
  return recording;
}

function ownOperation(name: string, given: object): ReplayableOperation {
  const definition = definitionOf(given);
  if (!definition)
    fail("E_VALUE", `replay: expected operations.${name} to be a function that defineOp returned`);
  return { definition, plain: false };
}
