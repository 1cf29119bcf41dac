import { packageFingerprint } from "../cells/fingerprint.js";
import { cellKey } from "../cells/key.js";
import { interrupted, type Executor, type TaskHooks } from "./executor.js";
import type { Task, TaskResult } from "./task.js";

/** A run among those that share an executor. */
interface Line {
  readonly rank: number;
  open: boolean;
  waiting: number;
  underWay: number;
  /** Milliseconds so far in which it waited and nothing of it was under way; `since` when it does. */
  stood: number;
  since?: number;
}

/** Somebody who asked for a task. */
interface Caller {
  readonly line: Line;
  readonly hooks: TaskHooks;
  readonly resolve: (result: TaskResult) => void;
  readonly reject: (error: unknown) => void;
}

/** A task that waits for a place, or has one. */
interface SharedTask {
  readonly task: Task;
  /** The key of a training cell: whoever asks for the same cell meanwhile gets the same result. */
  readonly key: string | undefined;
  callers: Caller[];
  /** Of the earliest run that asked for it. */
  rank: number;
}

/**
 * The places of an executor for several runs at once: one view a run, the earliest run first. At most `workers` tasks of all views
 * are under way; of those that wait, the ones of the earliest run go first, in the order in which they were asked for. A
 * training cell that several runs ask for is computed once. Closing a view rejects what it waits for with E_INTERRUPTED and leaves the others
 * alone: what is under way for it alone keeps its place until it ends, and its result is dropped. The executor itself is closed by whoever made
 * it.
 */
export function sharePlaces(executor: Executor, runs: number): readonly Executor[] {
  const places = new SharedPlaces(executor);
  return Array.from({ length: runs }, () => places.view());
}

class SharedPlaces {
  readonly #lines: Line[] = [];
  /** In the order in which they were asked for. */
  readonly #waiting = new Set<SharedTask>();
  readonly #underWay = new Set<SharedTask>();
  readonly #training = new Map<string, SharedTask>();
  #free: number;
  #nextTurn: NodeJS.Immediate | undefined;

  constructor(private readonly executor: Executor) {
    this.#free = executor.workers;
  }

  view(): Executor {
    const { name, workers, queued, warm } = this.executor;
    const line: Line = { rank: this.#lines.length, open: true, waiting: 0, underWay: 0, stood: 0 };
    this.#lines.push(line);
    return {
      name,
      workers,
      ...(queued !== undefined && { queued }),
      ...(warm && { warm }),
      secondsWaited: () =>
        (line.stood + (line.since === undefined ? 0 : performance.now() - line.since)) / 1000,
      run: <T extends Task>(task: T, hooks: TaskHooks = {}) =>
        new Promise<TaskResult<T>>((resolve, reject) => {
          if (!line.open) return reject(interrupted());
          this.#ask(task, { line, hooks, resolve: resolve as Caller["resolve"], reject });
        }),
      close: async () => this.#close(line),
    };
  }

  #ask(task: Task, caller: Caller): void {
    const key = task.kind === "train" ? cellKey(task.spec, packageFingerprint()) : undefined;
    let shared = key === undefined ? undefined : this.#training.get(key);
    if (shared === undefined) {
      shared = { task, key, callers: [], rank: Infinity };
      this.#waiting.add(shared);
      if (key !== undefined) this.#training.set(key, shared);
    }
    shared.callers.push(caller);
    shared.rank = Math.min(shared.rank, caller.line.rank);
    const begun = this.#underWay.has(shared);
    count(caller.line, begun ? "underWay" : "waiting", 1);
    if (begun) caller.hooks.onBegin?.();
    this.#admit();
  }

  /**
   * Gives free places to the first open run at once, and to others in the next turn of the event loop: a run whose task has just ended
   * asks for its next one in this turn, and goes before them.
   */
  #admit(): void {
    this.#fill(this.#lines.find(({ open }) => open)?.rank ?? 0);
    if (this.#free === 0 || this.#nextTurn !== undefined || this.#next() === undefined) return;
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = undefined;
      this.#fill(Infinity);
    });
  }

  #fill(lastRank: number): void {
    while (this.#free > 0) {
      const next = this.#next();
      if (next === undefined || next.rank > lastRank) return;
      void this.#perform(next);
    }
  }

  #next(): SharedTask | undefined {
    let first: SharedTask | undefined;
    for (const one of this.#waiting) if (first === undefined || one.rank < first.rank) first = one;
    return first;
  }

  async #perform(shared: SharedTask): Promise<void> {
    this.#free -= 1;
    this.#waiting.delete(shared);
    this.#underWay.add(shared);
    for (const { line } of shared.callers) {
      count(line, "underWay", 1);
      count(line, "waiting", -1);
    }
    const each = (tell: (hooks: TaskHooks) => void): void => {
      for (const { hooks } of [...shared.callers]) tell(hooks);
    };
    each((hooks) => hooks.onBegin?.());
    let settle: (caller: Caller) => void;
    try {
      const result = await this.executor.run(shared.task, {
        onEpoch: (event) => each((hooks) => hooks.onEpoch?.(event)),
        onRetry: (reason) => each((hooks) => hooks.onRetry?.(reason)),
        onWaiting: (reason) => each((hooks) => hooks.onWaiting?.(reason)),
      });
      settle = ({ resolve }) => resolve(result);
    } catch (error) {
      settle = ({ reject }) => reject(error);
    }
    this.#free += 1;
    this.#forget(shared);
    for (const caller of shared.callers) {
      count(caller.line, "underWay", -1);
      settle(caller);
    }
    this.#admit();
  }

  #close(line: Line): void {
    if (!line.open) return;
    line.open = false;
    for (const [state, tasks] of [
      ["waiting", this.#waiting],
      ["underWay", this.#underWay],
    ] as const) {
      for (const shared of [...tasks]) {
        const own = shared.callers.filter((caller) => caller.line === line);
        shared.callers = shared.callers.filter((caller) => caller.line !== line);
        shared.rank = Math.min(...shared.callers.map((caller) => caller.line.rank));
        if (state === "waiting" && shared.callers.length === 0) this.#forget(shared);
        for (const { reject } of own) {
          count(line, state, -1);
          reject(interrupted());
        }
      }
    }
    this.#admit();
  }

  #forget(shared: SharedTask): void {
    this.#waiting.delete(shared);
    this.#underWay.delete(shared);
    if (shared.key !== undefined) this.#training.delete(shared.key);
  }
}

/** Counts a task of a run, and the time in which all of its tasks wait. */
function count(line: Line, state: "waiting" | "underWay", by: 1 | -1): void {
  line[state] += by;
  const stands = line.waiting > 0 && line.underWay === 0;
  const now = performance.now();
  if (stands) line.since ??= now;
  else if (line.since !== undefined) {
    line.stood += now - line.since;
    line.since = undefined;
  }
}
