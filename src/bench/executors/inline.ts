import { setImmediate as nextTurn } from "node:timers/promises";
import type { IdeaRegistry } from "../cells/build-model.js";
import { interrupted, type Executor, type TaskHooks } from "./executor.js";
import { perform } from "./perform.js";
import { failureText, taskFailure } from "./task-failure.js";
import type { Task, TaskResult, TaskSteps } from "./task.js";

/** Does tasks in this thread, one after the other; other work gets a turn after each epoch. */
export function inlineExecutor(ideas: IdeaRegistry): Executor {
  let closed = false;

  const drive = async <T extends Task>(
    task: T,
    steps: TaskSteps<T>,
    hooks: TaskHooks,
  ): Promise<TaskResult<T>> => {
    for (;;) {
      await nextTurn();
      if (closed) throw interrupted();
      const step = advance(task, steps);
      if (step.done) return step.value;
      hooks.onEpoch?.(step.value);
    }
  };

  return {
    name: "inline",
    workers: 1,
    run: (task, hooks = {}) => drive(task, perform(task, ideas), hooks),
    close: async () => {
      closed = true;
    },
  };
}

function advance<T extends Task>(task: T, steps: TaskSteps<T>): ReturnType<TaskSteps<T>["next"]> {
  try {
    return steps.next();
  } catch (error) {
    throw taskFailure(task, failureText(error));
  }
}
