import workerpool from "workerpool";
import { builtInIdeas } from "../../ideas/index.js";
import { useKernels } from "../../tensor/index.js";
import { requireRoom } from "./limits.js";
import type { Reply } from "./reply.js";
import { perform } from "./perform.js";
import { failureText } from "./task-failure.js";
import type { Task } from "./task.js";

/** Does a task in this thread with the named kernels and so many MiB; each epoch is sent ahead of the reply. */
function work(task: Task, kernelSet: string, memory?: number): Reply {
  try {
    useKernels(kernelSet);
    const steps = perform(task, builtInIdeas);
    for (;;) {
      const step = steps.next();
      if (step.done) return { ok: true, result: step.value };
      requireRoom(memory);
      workerpool.workerEmit(step.value);
    }
  } catch (error) {
    return { ok: false, failure: failureText(error) };
  }
}

workerpool.worker({ work });
