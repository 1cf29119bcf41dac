import { setImmediate as nextTurn } from "node:timers/promises";
import type { IdeaRegistry } from "../cells/build-model.js";
import { interrupted, type CellLimits, type Executor, type TaskHooks } from "./executor.js";
import { requireLimits, requireRoom, timedOut } from "./limits.js";
import { perform } from "./perform.js";
import { failureText, taskFailure } from "./task-failure.js";
import { tryPlugins } from "../plugins/trial.js";
import { taskFiles } from "./task-files.js";
import type { CellTask, Task, TaskResult, TaskSteps, TrialTask } from "./task.js";

/**
 * Does tasks in this thread, one after the other; other work gets a turn after each epoch.
 *
 * @throws E_VALUE when a limit is not a positive number
 */
export function inlineExecutor(ideas: IdeaRegistry, limits: CellLimits = {}): Executor {
  const { timeout = Infinity, memory } = requireLimits(limits);
  let closed = false;

  const drive = async <T extends Task>(
    task: T,
    steps: TaskSteps<T>,
    hooks: TaskHooks,
  ): Promise<TaskResult<T>> => {
    const begin = performance.now();
    for (;;) {
      await nextTurn();
      if (closed) throw interrupted();
      const step = advance(task, steps, memory);
      if (performance.now() - begin > timeout * 1000) throw timedOut(task, timeout);
      if (step.done) return step.value;
      hooks.onEpoch?.(step.value);
    }
  };

  return {
    name: "inline",
    workers: 1,
    run: <T extends Task>(task: T, hooks: TaskHooks = {}) =>
      task.kind === "trial"
        ? (trial(task) as Promise<TaskResult<T>>)
        : drive(task as T & CellTask, perform(task, ideas) as TaskSteps<T>, hooks),
    close: async () => {
      closed = true;
    },
  };
}

async function trial(task: TrialTask): Promise<undefined> {
  try {
    await tryPlugins(task.spec, taskFiles(task));
  } catch (error) {
    throw taskFailure(task, failureText(error));
  }
}

function advance<T extends Task>(
  task: T,
  steps: TaskSteps<T>,
  memory: number | undefined,
): ReturnType<TaskSteps<T>["next"]> {
  try {
    const step = steps.next();
    if (!step.done) requireRoom(memory);
    return step;
  } catch (error) {
    throw taskFailure(task, failureText(error));
  }
}
