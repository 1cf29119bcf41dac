import { fail } from "../../errors/index.js";
import type { CodeLine, InspectDocument } from "../document.js";
import type { Blame } from "./blame.js";
import { isZero, Reader } from "./reader.js";
import { uncomputedCause } from "./uncomputed.js";
import { killSentence } from "./vanished.js";

/** Why the gradient of a tensor is zero, or was not computed. */
export interface ZeroCause {
  /** `zero`: every contribution is 0. `cancels`: the contributions add up to 0. `not zero`: there is nothing to explain. */
  readonly status: "not computed" | "zero" | "cancels" | "not zero";
  /** What was asked about. */
  readonly node: number;
  /** The first operation, or the leaf or constant, at which the gradient ended; absent where there is nothing to explain. */
  readonly cause?: number;
  /** The event in which something came in and nothing went out. */
  readonly event?: number;
  /** In plain words. */
  readonly sentence: string;
  readonly source?: CodeLine;
  /** The nodes from the cause to the one that was asked about, both included. */
  readonly trail: readonly number[];
}

/**
 * Why the gradient of a node is zero or was not computed: the first operation, going back from the output, that let nothing through.
 *
 * @throws E_INDEX when there is no such node
 */
export function whyZero(document: InspectDocument, node: number): ZeroCause {
  if (document.nodes[node] === undefined)
    fail("E_INDEX", `whyZero: expected a node from 0 to ${document.nodes.length - 1}, got ${node}`);
  const reader = new Reader(document);
  const gradient = reader.gradient(node);
  const name = reader.title(node);
  if (!gradient) {
    const blame = uncomputedCause(reader, node);
    return explained(reader, "not computed", node, blame, [blame.node, node]);
  }
  if (!isZero(gradient)) {
    const sentence =
      gradient.zeros > 0
        ? `the gradient of ${name} is 0 in ${gradient.zeros} elements and not in the others`
        : `the gradient of ${name} is not 0`;
    return { status: "not zero", node, sentence, trail: [node] };
  }
  const { events } = document;
  if (reader.steps.eventsTo(node).some((at) => events[at]!.part && !isZero(events[at]!.part))) {
    const sentence = `the contributions to the gradient of ${name} are not 0 and cancel each other`;
    return { status: "cancels", node, sentence, trail: [node] };
  }
  return vanished(reader, node);
}

/** Goes towards the output along zero gradients to the first event in which something came in and nothing went out. */
function vanished(reader: Reader, start: number): ZeroCause {
  const { events, output } = reader.document;
  const towards = new Map<number, number | undefined>([[start, undefined]]);
  const open = [start];
  let first: number | undefined;
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const at of reader.steps.eventsTo(id)) {
      const { from } = events[at]!;
      if (from === null) continue;
      const zero = sourcesOf(reader, from).filter((source) => isZero(reader.gradient(source) ?? nothing));
      if (zero.length < sourcesOf(reader, from).length) first = Math.min(first ?? at, at);
      for (const source of zero) {
        if (towards.has(source)) continue;
        towards.set(source, id);
        open.push(source);
      }
    }
  if (first === undefined) {
    const sentence = `the backward pass starts from a cotangent of 0 at ${reader.title(output)}`;
    return explained(reader, "zero", start, { node: output, sentence }, [output, start]);
  }
  const { from, to } = events[first]!;
  const blame = killSentence(reader, from!, to);
  const trail = [from!];
  for (let id: number | undefined = to; id !== undefined; id = towards.get(id)) trail.push(id);
  return { ...explained(reader, "zero", start, blame, trail), event: first };
}

const nothing = { range: [0, 0], mean: 0, norm: 0, zeros: 1 } as const;

/** What a rule carries on: the gradient of its result; `gruTurnstile` gathers what the steps of its layer leave with it. */
function sourcesOf(reader: Reader, id: number): readonly number[] {
  return reader.node(id).op === "gruTurnstile" ? reader.steps.usersOf(id) : [id];
}

function explained(
  reader: Reader,
  status: "not computed" | "zero",
  node: number,
  blame: Blame,
  trail: readonly number[],
): ZeroCause {
  const { source } = reader.node(blame.node);
  const verb = status === "zero" ? "is 0" : "was not computed (which is not 0)";
  return {
    status,
    node,
    cause: blame.node,
    sentence: `the gradient of ${reader.title(node)} ${verb}: ${blame.sentence}`,
    ...(source && { source }),
    trail: [...new Set(trail)],
  };
}
