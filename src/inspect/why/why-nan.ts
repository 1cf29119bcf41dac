import type { CodeLine, InspectDocument, InspectNode } from "../document.js";
import { birthSentence, hiddenRowsSentence, partSentence } from "./birth-sentence.js";
import { isNonFinite, Reader } from "./reader.js";

/** Where the first NaN or infinity came from. */
export interface NaNCause {
  /** The operation, or the leaf or constant that held it from the start. */
  readonly node: number;
  /** The event of the backward pass in which it arose; absent when it arose in the forward pass. */
  readonly event?: number;
  /** How far it reaches. */
  readonly reaches: "output" | "gradient" | "nothing";
  /** In plain words. */
  readonly sentence: string;
  readonly source?: CodeLine;
  /** The nodes from the cause to where it shows, both included. */
  readonly trail: readonly number[];
}

/**
 * The first cause of a NaN or an infinity, the forward pass first: the operation that made it of finite inputs, with the element,
 * what its inputs were there, and its line of code. Without one in the forward pass, the first rule that made it in the backward pass.
 *
 * @returns undefined when everything is finite
 */
export function whyNaN(document: InspectDocument): NaNCause | undefined {
  const reader = new Reader(document);
  const output = reader.node(document.output);
  if (isNonFinite(output.value)) return forwardCause(reader, output.id, "output");
  const event = document.events.findIndex(({ part }) => part && isNonFinite(part));
  if (event >= 0) return backwardCause(reader, event);
  const born = document.nodes.find(({ birth }) => birth);
  return born && causeAt(reader, born.id, "nothing", [born.id]);
}

function causeAt(
  reader: Reader,
  id: number,
  reaches: NaNCause["reaches"],
  trail: readonly number[],
): NaNCause {
  const node = reader.node(id);
  const but = reaches === "nothing" ? "; it reaches neither the output nor a gradient" : "";
  return {
    node: id,
    reaches,
    sentence: `${valueSentence(reader, node)} [${reader.title(id)}]${but}`,
    ...(node.source && { source: node.source }),
    trail,
  };
}

function valueSentence(reader: Reader, node: InspectNode): string {
  if (node.hiddenRows && !(node.birth && node.birth.kind === "NaN"))
    return hiddenRowsSentence(node, node.hiddenRows);
  if (node.birth) {
    const from = infinityBehind(reader, node);
    return birthSentence(node, node.birth) + from;
  }
  const { nan = 0, inf = 0, negInf = 0 } = node.value;
  const found = [nan > 0 && `${nan} NaN`, inf + negInf > 0 && `${inf + negInf} infinite`].filter(Boolean);
  return `${reader.title(node.id)} holds ${found.join(" and ")} elements from the start`;
}

/** Where an infinity among the inputs was put in on purpose, as a mask does. */
function infinityBehind(reader: Reader, { inputs = [] }: InspectNode): string {
  const seen = new Set<number>();
  const open = [...inputs];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = reader.node(id);
    if (seen.has(id) || !isNonFinite(node.value)) continue;
    seen.add(id);
    const infinite = node.inputs?.some(
      (x) => reader.node(x).kind === "constant" && isNonFinite(reader.node(x).value),
    );
    if (node.op === "where" && infinite)
      return `; the infinity was put in by ${reader.title(id)}: a mask that hides the whole row leaves nothing to compare`;
    open.push(...(node.inputs ?? []));
  }
  return "";
}

/** The first node that made what is not finite in `start`, found through inputs that are not finite. */
function forwardCause(reader: Reader, start: number, reaches: "output" | "gradient"): NaNCause {
  const next = new Map<number, number | undefined>([[start, undefined]]);
  const open = [start];
  let best: number | undefined;
  let lowest = start;
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = reader.node(id);
    lowest = Math.min(lowest, id);
    const nanFromOutside = node.kind !== "operation" && (node.kind === "leaf" || (node.value.nan ?? 0) > 0);
    const isCause = node.birth !== undefined || node.hiddenRows !== undefined || nanFromOutside;
    if (isCause && (best === undefined || id < best)) best = id;
    for (const input of node.inputs ?? []) {
      if (next.has(input) || !isNonFinite(reader.node(input).value)) continue;
      next.set(input, id);
      open.push(input);
    }
  }
  const cause = best ?? lowest;
  const trail: number[] = [];
  for (let id: number | undefined = cause; id !== undefined; id = next.get(id)) trail.push(id);
  return causeAt(reader, cause, reaches, trail);
}

/** The first contribution that is not finite: what was wrong with its operation. */
function backwardCause(reader: Reader, index: number): NaNCause {
  const { from, to, birth } = reader.document.events[index]!;
  if (from === null)
    return {
      node: to,
      event: index,
      reaches: "gradient",
      sentence: "the cotangent that the backward pass starts from is not finite",
      trail: [to],
    };
  const node = reader.node(from);
  const wrong = [from, ...(node.inputs ?? [])].find((id) => isNonFinite(reader.node(id).value));
  if (wrong !== undefined) {
    const cause = forwardCause(reader, wrong, "gradient");
    return { ...cause, trail: [...new Set([...cause.trail, from])] };
  }
  const sentence = birth ? partSentence(node, birth) : `the rule of ${node.op} gave what is not finite`;
  return {
    node: from,
    event: index,
    reaches: "gradient",
    sentence: `${sentence} [${reader.title(from)}]`,
    ...(node.source && { source: node.source }),
    trail: [from, to],
  };
}
