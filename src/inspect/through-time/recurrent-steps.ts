import type { InspectDocument, InspectNode, ModuleCall } from "../document.js";

/** The steps of one recurrent layer, as far as they were recorded one by one. */
export interface RecurrentSteps {
  /** The path of the module; "" where none is known. */
  readonly path: string;
  /** The operations of each step, in order. */
  readonly steps: readonly (readonly InspectNode[])[];
  /** What each step hands to the next one. */
  readonly states: readonly InspectNode[];
}

/** An operation in its step. */
interface Timed {
  readonly node: InspectNode;
  readonly key: string;
  readonly path: string;
  readonly time: number;
}

/**
 * The recurrent layers of a document whose steps were recorded one by one: a GRU with `unfused` or with `onStep`, a `GRUCell` that is
 * called again and again, and any module of the user's that is called again and again with what its call before has made. In the order
 * in which they begin.
 */
export function recurrentSteps(document: InspectDocument): RecurrentSteps[] {
  const runs = new Map<string, { path: string; steps: InspectNode[][] }>();
  const counts = new Map<string, number>();
  for (const { node, key, path, time } of [...timedNodes(document), ...calledAgain(document)]) {
    let run = runs.get(`${key} ${counts.get(key) ?? 0}`);
    // A layer above the first one begins again at step 0 within the same call.
    if (run && time < run.steps.length - 1) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      run = undefined;
    }
    if (!run) {
      run = { path, steps: [] };
      runs.set(`${key} ${counts.get(key) ?? 0}`, run);
    }
    (run.steps[time] ??= []).push(node);
  }
  const found = new Map<number, RecurrentSteps>();
  for (const { path, steps: sparse } of runs.values()) {
    const steps = Object.values(sparse);
    const states = statesOf(steps);
    const first = states?.[0]?.id;
    if (states && first !== undefined && !found.has(first)) found.set(first, { path, steps, states });
  }
  return [...found.entries()].sort(([a], [b]) => a - b).map(([, layer]) => layer);
}

/** Operations that know their time step, by the layer that they belong to. */
function timedNodes({ nodes, calls }: InspectDocument): Timed[] {
  const timed = nodes.filter(({ time, op }) => time !== undefined && op !== undefined);
  /** The times that each call spans. */
  const times = new Map<number, Set<number>>();
  for (const { call, time } of timed)
    for (const { id } of chainOf(calls, call)) times.set(id, (times.get(id) ?? new Set()).add(time!));
  const spans = (id: number): boolean => times.get(id)!.size > 1;
  const own = new Set(timed.flatMap(({ call }) => (call !== undefined && spans(call) ? [call] : [])));
  return timed.map((node) => {
    const chain = chainOf(calls, node.call);
    const at = chain.findIndex(({ id }) => spans(id));
    const owner = at === -1 ? undefined : chain[at];
    const child = at === -1 ? chain.at(-1) : chain[at - 1];
    const layer = owner && own.has(owner.id) ? owner : child;
    const key = owner && layer === owner ? `call ${owner.id}` : `${owner?.id ?? ""} ${layer?.path ?? ""}`;
    return { node, key, path: layer?.path ?? "", time: node.time! };
  });
}

/** A call and those that it was made in, innermost first. */
function chainOf(calls: readonly ModuleCall[], call: number | undefined): ModuleCall[] {
  const chain: ModuleCall[] = [];
  for (let at = call; at !== undefined; at = calls[at]!.parent) chain.push(calls[at]!);
  return chain;
}

/** Operations in modules that one call calls three times and more. */
function calledAgain({ nodes, calls }: InspectDocument): Timed[] {
  const groups = new Map<string, number[]>();
  const keyOf = ({ parent, path, method }: ModuleCall): string => `${parent ?? ""} ${path} ${method} again`;
  for (const call of calls) groups.set(keyOf(call), [...(groups.get(keyOf(call)) ?? []), call.id]);
  const times = new Map([...groups.values()].flatMap((ids) => ids.map((id, time) => [id, time] as const)));
  return nodes.flatMap((node) =>
    node.op === undefined
      ? []
      : chainOf(calls, node.call).flatMap((call) =>
          groups.get(keyOf(call))!.length < 3
            ? []
            : [{ node, key: keyOf(call), path: call.path, time: times.get(call.id)! }],
        ),
  );
}

/** What each step hands to the next; undefined where one hands on nothing. */
function statesOf(steps: readonly (readonly InspectNode[])[]): InspectNode[] | undefined {
  if (steps.length < 2) return undefined;
  const states: InspectNode[] = [];
  for (let t = 0; t + 1 < steps.length; t++) {
    const used = new Set(steps[t + 1]!.flatMap(({ inputs }) => inputs!));
    const state = steps[t]!.findLast(({ id }) => used.has(id));
    if (!state) return undefined;
    states.push(state);
  }
  const before = states.at(-1)!;
  const last = steps.at(-1)!;
  const alike = last.findLast(({ op, shape }) => op === before.op && String(shape) === String(before.shape));
  return [...states, alike ?? last.at(-1)!];
}
