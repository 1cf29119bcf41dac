import type { InspectDocument, Summary } from "./document.js";

/** What is known of a gradient at a moment of the backward pass. Not computed is not zero. */
export interface GradientState {
  /**
   * `never`: nothing flows there in the whole pass. `not yet`: nothing has. `partial`: some contributions are in, more will come.
   * `complete`: all are.
   */
  readonly status: "never" | "not yet" | "partial" | "complete";
  /** The sum so far; undefined until the first contribution. */
  readonly gradient: Summary | undefined;
  /** Contributions so far, and in all. */
  readonly received: number;
  readonly expected: number;
}

/** A recorded computation as a sequence of moments, each found by its number alone: backwards is as cheap as forwards. */
export interface Steps {
  /** Moments of the backward pass: 0 is before the first event, `events.length` after the last. */
  readonly last: number;
  /** The gradient of a node when the first `moment` events have happened. */
  gradientAt(node: number, moment: number): GradientState;
  /** Which nodes have a value when the first `operations` nodes were made: those before it, and every leaf. */
  hasValueAt(node: number, made: number): boolean;
  /** The events that bring something to a node, in order. */
  eventsTo(node: number): readonly number[];
  /** The events in which the rule of a node is applied, in order. */
  eventsFrom(node: number): readonly number[];
  /** The nodes that a node is an input of, each once. */
  usersOf(node: number): readonly number[];
}

/** The moments of a recorded computation. */
export function stepsOf({ nodes, events }: InspectDocument): Steps {
  const lists = (): number[][] => nodes.map(() => []);
  const [to, given, from, users] = [lists(), lists(), lists(), lists()];
  events.forEach((event, at) => {
    to[event.to]!.push(at);
    if (event.part) given[event.to]!.push(at);
    if (event.from !== null) from[event.from]!.push(at);
  });
  for (const { id, inputs = [] } of nodes) for (const input of new Set(inputs)) users[input]!.push(id);
  return {
    last: events.length,
    gradientAt(node, moment) {
      const own = given[node]!;
      const received = countBelow(own, moment);
      const expected = own.length;
      const latest = received > 0 ? events[own[received - 1]!]! : undefined;
      return {
        status:
          expected === 0
            ? "never"
            : received === 0
              ? "not yet"
              : received < expected
                ? "partial"
                : "complete",
        gradient: latest?.sum ?? latest?.part ?? undefined,
        received,
        expected,
      };
    },
    hasValueAt: (node, made) => nodes[node]!.kind !== "operation" || node < made,
    eventsTo: (node) => to[node]!,
    eventsFrom: (node) => from[node]!,
    usersOf: (node) => users[node]!,
  };
}

/** How many numbers of a rising list are below a limit. */
function countBelow(rising: readonly number[], limit: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rising[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
