import type { InspectDocument, ModuleCall } from "../document.js";

/** A part of a computation: the call of a module, a time step of a recurrent layer, or several steps in a row. */
export interface Group {
  readonly kind: "all" | "call" | "step" | "steps";
  readonly title: string;
  /** Groups and operations (as nodes), in the order in which they were computed. */
  readonly children: readonly (Group | number)[];
  /** The operations inside are nodes from `first` to `last`. */
  readonly first: number;
  readonly last: number;
  /** How many operations are inside, at any depth. */
  readonly size: number;
}

interface Draft {
  readonly kind: "all" | "call" | "step";
  readonly key: string;
  readonly title: string;
  readonly children: (Draft | number)[];
}

/** The operations of a document as a tree: modules inside modules, time steps inside the module that takes them. */
export function outlineOf({ subject, nodes, calls }: InspectDocument): Group {
  const owners = timeOwners({ nodes, calls });
  const root: Draft = { kind: "all", key: "all", title: subject, children: [] };
  let open: Draft[] = [root];
  for (const { id, kind, call, time } of nodes) {
    if (kind !== "operation") continue;
    const path = [root.key];
    const parts: Pick<Draft, "kind" | "key" | "title">[] = [root];
    const add = (part: Pick<Draft, "kind" | "key" | "title">): void => {
      path.push(part.key);
      parts.push(part);
    };
    const step =
      time === undefined ? undefined : { kind: "step" as const, key: `t ${time}`, title: `t = ${time}` };
    const chain = chainOf(calls, call);
    const owner = chain.findLastIndex(({ id: one }) => owners.has(one));
    if (step && owner < 0) add(step);
    chain.forEach((one, at) => {
      add({ kind: "call", key: `call ${one.id}`, title: callTitle(one, chain[at - 1]?.path ?? "") });
      if (step && at === owner) add(step);
    });
    let same = 0;
    while (same < open.length && same < path.length && open[same]!.key === path[same]) same++;
    open = open.slice(0, same);
    for (const part of parts.slice(same)) {
      const draft: Draft = { ...part, children: [] };
      open.at(-1)!.children.push(draft);
      open.push(draft);
    }
    open.at(-1)!.children.push(id);
  }
  return finished(root);
}

/** Outermost first. */
function chainOf(calls: readonly ModuleCall[], innermost: number | undefined): ModuleCall[] {
  const chain: ModuleCall[] = [];
  for (let id = innermost; id !== undefined; id = calls[id]!.parent) chain.unshift(calls[id]!);
  return chain;
}

/** With its path as seen from the module around it. */
function callTitle({ path, type, method, index }: ModuleCall, around: string): string {
  const own = around !== "" && path.startsWith(`${around}.`) ? path.slice(around.length + 1) : path;
  const name = own === "" ? type : `${own} ${type}`;
  return `${name}${method === "forward" ? "" : `.${method}`}${index > 0 ? ` (call ${index + 1})` : ""}`;
}

/** The calls that go through several time steps themselves. */
function timeOwners({ nodes, calls }: Pick<InspectDocument, "nodes" | "calls">): ReadonlySet<number> {
  const times = new Map<number, Set<number>>();
  for (const { call, time } of nodes) {
    if (time === undefined) continue;
    for (const { id } of chainOf(calls, call)) times.set(id, (times.get(id) ?? new Set()).add(time));
  }
  return new Set([...times].filter(([, found]) => found.size > 1).map(([id]) => id));
}

/** With its sizes, and with several steps in a row as one group. */
function finished({ kind, title, children }: Draft): Group {
  const inner = children.map((child) => (typeof child === "number" ? child : finished(child)));
  const joined: (Group | number)[] = [];
  let run: Group[] = [];
  const endRun = (): void => {
    joined.push(
      ...(run.length > 2 ? [groupOf("steps", `${run[0]!.title} … ${run.at(-1)!.title.slice(4)}`, run)] : run),
    );
    run = [];
  };
  for (const child of inner) {
    if (typeof child !== "number" && child.kind === "step") run.push(child);
    else {
      endRun();
      joined.push(child);
    }
  }
  endRun();
  return groupOf(kind, title, joined);
}

function groupOf(kind: Group["kind"], title: string, children: readonly (Group | number)[]): Group {
  const [start, end] = [children[0], children.at(-1)];
  return {
    kind,
    title,
    children,
    first: typeof start === "object" ? start.first : (start ?? 0),
    last: typeof end === "object" ? end.last : (end ?? 0),
    size: children.reduce<number>((sum, child) => sum + (typeof child === "number" ? 1 : child.size), 0),
  };
}
