import { fail } from "../../errors/index.js";
import { builtInIdeas } from "../../ideas/index.js";
import {
  inlineExecutor,
  slurmExecutor,
  threadExecutor,
  workerScript,
  type CellLimits,
  type Executor,
  type SlurmSettings,
} from "../executors/index.js";
import type { Plan } from "./plan.js";

/**
 * What can carry out a plan: worker threads where the package is compiled and the idea is a built-in one or comes from a file, else this
 * thread, unless one is named: `slurm` trains on a cluster (see {@link slurmExecutor}), with `jobs` cells at the same time at most.
 * Threads and jobs serve the plans of all such ideas. To be closed in the end.
 *
 * @throws E_IDEA when threads or jobs are named for an idea that they do not know
 * @throws E_VALUE when `jobs`, the number of threads, is not a positive whole number, or a limit not a positive number
 * @throws E_INTERNAL when threads are named and the package is not compiled
 */
export function executorOf(
  plan: Plan,
  name?: "inline" | "threads" | "slurm",
  jobs?: number,
  limits: CellLimits = {},
  slurm?: Omit<SlurmSettings, "local" | "jobs" | "limits">,
): Executor {
  if (name === "slurm") {
    if (slurm === undefined)
      fail("E_VALUE", "the Slurm executor needs a folder that this machine and the nodes share");
    requireRegistered(plan, "jobs of Slurm");
    return slurmExecutor({ ...slurm, local: executorOf(plan, undefined, undefined, limits), jobs, limits });
  }
  const threadsWork = plan.registered && workerScript() !== undefined;
  const wanted = name ?? (threadsWork ? "threads" : "inline");
  if (wanted === "inline")
    return inlineExecutor(new Map([...builtInIdeas, [plan.idea.name, plan.idea]]), limits);
  requireRegistered(plan, "worker threads");
  return threadExecutor({ workers: jobs, limits });
}

function requireRegistered({ registered, idea }: Plan, who: string): void {
  if (registered) return;
  fail(
    "E_IDEA",
    `${who} know built-in ideas and those of a file (loadPlugins) only; run ${idea.name} with the executor 'inline'`,
  );
}
