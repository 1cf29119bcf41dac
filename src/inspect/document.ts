import type { DType } from "../tensor/index.js";
import type { Recording } from "./recording.js";

/** A number as JSON can hold it: those that it cannot have a name. */
export type JsonNumber = number | "NaN" | "Infinity" | "-Infinity" | "-0";

/** Anything that JSON holds. */
export type JsonValue =
  JsonNumber | string | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** What is kept of an array: all of it when it is small, else what says most. */
export interface Summary {
  /** The smallest and the largest finite element; null when there is none. */
  readonly range: readonly [low: JsonNumber, high: JsonNumber] | null;
  /** The mean of the finite elements; null when there is none. */
  readonly mean: JsonNumber | null;
  /** √Σx² over the finite elements. */
  readonly norm: JsonNumber;
  /** How many elements are exactly 0 (or −0). */
  readonly zeros: number;
  /** How many are NaN, +∞ and −∞; left out where none is. */
  readonly nan?: number;
  readonly inf?: number;
  readonly negInf?: number;
  /** Every element, row-major, of an array that is not larger than the option `full`. */
  readonly values?: readonly JsonNumber[];
  /** Of a larger one: counts of finite elements in 16 bins of equal width over the range. */
  readonly histogram?: readonly number[];
  /** Of a larger one: the first rows and columns of its first matrix. */
  readonly corner?: readonly (readonly JsonNumber[])[];
}

/** A line of code. */
export interface CodeLine {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The function that it lies in, when that has a name. */
  readonly within?: string;
}

/** Where an operation made a NaN or an infinity that its inputs do not hold. */
export interface Birth {
  readonly kind: "NaN" | "Infinity" | "-Infinity";
  readonly element: readonly number[];
  /** How many elements became so here. */
  readonly count: number;
  /** What the inputs hold in that place, where the operation works element by element. */
  readonly operands?: readonly JsonNumber[];
}

/** Rows of an attention or softmax in which everything is hidden (−∞). */
export interface HiddenRows {
  readonly count: number;
  readonly rows: number;
  /** The first of them, as an index without the last axis. */
  readonly first: readonly number[];
}

/** Units of a relu that are 0 for every row of the batch, in a layer in which others are not. */
export interface DeadUnits {
  readonly count: number;
  readonly units: number;
  /** The first of them, a place on the last axis. */
  readonly first: number;
  readonly rows: number;
}

/** One tensor of the computation. */
export interface InspectNode {
  /** Its place in `nodes`; what it was made from stands before it. */
  readonly id: number;
  /** A leaf with a gradient (an input or a parameter), a tensor without one that no operation made, or the result of an operation. */
  readonly kind: "leaf" | "constant" | "operation";
  /** The name of a parameter or an input. */
  readonly name?: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly value: Summary;
  /** Whether gradients flow through it. */
  readonly requiresGrad: boolean;
  /** The operation's name, a key of `operations`. */
  readonly op?: string;
  readonly inputs?: readonly number[];
  readonly attributes?: { readonly [name: string]: JsonValue };
  /** The innermost module call that it was made in, a place in `calls`. */
  readonly call?: number;
  /** The time step of a recurrent layer that it belongs to. */
  readonly time?: number;
  readonly source?: CodeLine;
  readonly birth?: Birth;
  readonly hiddenRows?: HiddenRows;
  readonly deadUnits?: DeadUnits;
  /** Of a constant: the node whose value it has without its gradient, as after `detach()`. */
  readonly copyOf?: number;
}

/** One call of a module. */
export interface ModuleCall {
  readonly id: number;
  /** The path of properties: `layers.0.self_attn`; "" is the outermost module. */
  readonly path: string;
  /** The name of its class. */
  readonly type: string;
  /** The method that was called. */
  readonly method: string;
  /** How often this module was called before. */
  readonly index: number;
  /** The call that this one was made in. */
  readonly parent?: number;
}

/** An operation in words. */
export interface OperationText {
  /** What it computes, of a, b, c … */
  readonly formula: string;
  /** For each input its gradient, of the gradient g of the result y; fewer texts than inputs: the last holds for the others. */
  readonly rules: readonly string[];
}

/** One step of the backward pass: what flowed along one edge. */
export interface BackwardEvent {
  /** The operation whose rule was applied, as a node; null where the pass starts. */
  readonly from: number | null;
  /** Which input of that operation receives. */
  readonly input: number;
  readonly to: number;
  /** The contribution; null where the rule says that nothing flows. */
  readonly part: Summary | null;
  /** What has flowed to the node so far, where this was added to something; else it is `part`. */
  readonly sum?: Summary;
  /** The derivative of the operation in this input, where it works element by element and is small: upstream × local = part. */
  readonly local?: Summary;
  /** Where the contribution became NaN or infinite while what came in is finite. `operands` are the operation's inputs. */
  readonly birth?: Birth;
}

/** A recorded computation and its backward pass, as plain JSON. */
export interface InspectDocument {
  readonly schemaVersion: 1;
  readonly kind: "gradstand inspection";
  /** What was inspected. */
  readonly subject: string;
  /** Whether fused operations were composed of elementary ones. */
  readonly unfused: boolean;
  readonly nodes: readonly InspectNode[];
  readonly calls: readonly ModuleCall[];
  readonly operations: Readonly<Record<string, OperationText>>;
  /** The node that the gradients are of. */
  readonly output: number;
  /** The cotangent that the pass started from: 1 for a scalar, ones (so that the gradients are those of the sum), or a given one. */
  readonly start: "one" | "ones" | "given";
  /** The backward pass in the order in which it ran; empty where the output depends on no leaf. */
  readonly events: readonly BackwardEvent[];
  /** What `replay` needs, when the computation was recorded with `replayable`. */
  readonly recording?: Recording;
}

/** The newest version of {@link InspectDocument}. */
export const schemaVersion = 1;
