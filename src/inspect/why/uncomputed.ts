import type { InspectNode } from "../document.js";
import type { Blame } from "./blame.js";
import type { Reader } from "./reader.js";

/** Why nothing flowed to a node in the whole backward pass: where the way from it to the output ends. */
export function uncomputedCause(reader: Reader, start: number): Blame {
  const own = reader.node(start);
  if (!own.requiresGrad)
    return own.copyOf === undefined
      ? { node: start, sentence: "it asks for none (no requiresGrad)" }
      : { node: start, sentence: `it is a copy of ${reader.title(own.copyOf)} without its gradient` };
  const found: Blame[] = [];
  const seen = new Set<number>([start]);
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const { copies, users } = usesOf(reader, id);
    for (const copy of copies)
      for (const user of reader.steps.usersOf(copy.id))
        found.push({
          node: user,
          sentence: `${reader.title(user)} uses a copy of ${reader.title(id)} without its gradient, as detach() or stopGradient() make one`,
        });
    for (const user of users) {
      const blame = endAt(reader, id, user);
      if (blame) found.push(blame);
      else if (!seen.has(user.id)) {
        seen.add(user.id);
        open.push(user.id);
      }
    }
    if (copies.length + users.length === 0 && id !== reader.document.output)
      found.push({
        node: id,
        sentence: id === start ? "nothing uses it" : `nothing uses the result of ${reader.title(id)}`,
      });
  }
  return (
    found.sort((a, b) => a.node - b.node)[0] ?? {
      node: start,
      sentence: "no rule of an operation hands it anything",
    }
  );
}

function usesOf(reader: Reader, id: number): { copies: InspectNode[]; users: InspectNode[] } {
  const copies = reader.copiesOf(id).filter((copy) => reader.steps.usersOf(copy.id).length > 0);
  return { copies, users: reader.steps.usersOf(id).map((user) => reader.node(user)) };
}

/** Why nothing can come back through a use; undefined when the way goes on behind it. */
function endAt(reader: Reader, id: number, user: InspectNode): Blame | undefined {
  const { document, steps } = reader;
  if (!user.requiresGrad) {
    const hasRule = document.operations[user.op!]!.rules.length > 0;
    const why = !hasRule
      ? `${reader.title(user.id)} has no gradient: its result is a truth value or an index`
      : user.dtype === "float32" || user.dtype === "float64"
        ? `${reader.title(user.id)} was computed without recording (noGrad)`
        : `${reader.title(user.id)} gives ${user.dtype}, which has no gradient`;
    return { node: user.id, sentence: why };
  }
  const reached = steps.eventsTo(user.id).some((at) => document.events[at]!.part);
  if (!reached) return undefined;
  const refused = steps.eventsFrom(user.id).some((at) => document.events[at]!.to === id);
  return refused || reached
    ? { node: user.id, sentence: `the rule of ${reader.title(user.id)} lets nothing through to it` }
    : undefined;
}
