import workerpool from "workerpool";
import { builtInIdeas } from "../../ideas/index.js";
import { calibrationIdeas } from "../calibrate/ideas.js";
import { useKernels } from "../../tensor/index.js";
import { requireRoom } from "./limits.js";
import { listenToCalls } from "../plugins/guard/index.js";
import { loadNamed } from "../plugins/load-plugins.js";
import type { PluginFile } from "../plugins/plugin-file.js";
import { isLoaded } from "../plugins/registry.js";
import { tryPlugins } from "../plugins/trial.js";
import type { Reply } from "./reply.js";
import { perform } from "./perform.js";
import { failureText } from "./task-failure.js";
import type { Task } from "./task.js";

const ideas = new Map([...builtInIdeas, ...calibrationIdeas]);

/** Does a task in this thread with the named kernels and so many MiB, once it has the files; each epoch is sent ahead of the reply. */
async function work(
  task: Task,
  kernelSet: string,
  memory: number | undefined,
  files: readonly PluginFile[],
): Promise<Reply> {
  try {
    useKernels(kernelSet);
    for (const file of files) if (!isLoaded(file)) await loadNamed(file);
    // Training calls a user's functions thousands of times: only there nobody is told of each.
    listenToCalls(task.kind === "train" ? undefined : (call) => workerpool.workerEmit({ call }));
    if (task.kind === "trial") {
      await tryPlugins(task.spec, files);
      return { ok: true, result: undefined };
    }
    const steps = perform(task, ideas);
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
