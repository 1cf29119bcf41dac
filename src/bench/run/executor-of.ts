import { fail } from "../../errors/index.js";
import { builtInIdeas } from "../../ideas/index.js";
import {
  inlineExecutor,
  threadExecutor,
  workerScript,
  type CellLimits,
  type Executor,
} from "../executors/index.js";
import type { Plan } from "./plan.js";

/**
 * What can carry out a plan: worker threads where the package is compiled and the idea is a built-in one or comes from a file, else this
 * thread, unless one of them is named. Threads serve the plans of all such ideas. To be closed in the end.
 *
 * @throws E_IDEA when threads are named for an idea that they do not know
 * @throws E_VALUE when `jobs`, the number of threads, is not a positive whole number, or a limit not a positive number
 * @throws E_INTERNAL when threads are named and the package is not compiled
 */
export function executorOf(
  plan: Plan,
  name?: "inline" | "threads",
  jobs?: number,
  limits: CellLimits = {},
): Executor {
  const threadsWork = plan.registered && workerScript() !== undefined;
  const wanted = name ?? (threadsWork ? "threads" : "inline");
  if (wanted === "inline")
    return inlineExecutor(new Map([...builtInIdeas, [plan.idea.name, plan.idea]]), limits);
  if (!plan.registered) {
    fail(
      "E_IDEA",
      `worker threads know built-in ideas and those of a file (loadPlugins) only; run ${plan.idea.name} with the executor 'inline'`,
    );
  }
  return threadExecutor({ workers: jobs, limits });
}
