import { fail } from "../../errors/index.js";
import { builtInIdeas } from "../../ideas/index.js";
import {
  bullmqExecutor,
  inlineExecutor,
  slurmExecutor,
  threadExecutor,
  workerScript,
  type BullmqSettings,
  type CellLimits,
  type Executor,
  type SlurmSettings,
} from "../executors/index.js";
import type { Plan } from "./plan.js";

/** Where Slurm finds its tasks, and how they are handed in. */
type ClusterPlace = Omit<SlurmSettings, "local" | "jobs" | "limits">;

/** Where the queue is. */
type QueuePlace = Omit<BullmqSettings, "local" | "jobs" | "limits">;

/**
 * What can carry out a plan: worker threads where the package is compiled and the idea is a built-in one or comes from a file, else this
 * thread, unless one is named: `slurm` trains on a cluster (see {@link slurmExecutor}), `bullmq` through a queue (see {@link bullmqExecutor}), with
 * `jobs` cells at the same time at most. Threads and jobs serve the plans of all such ideas. To be closed in the end.
 *
 * @throws E_IDEA when threads or jobs are named for an idea that they do not know
 * @throws E_VALUE when `jobs`, the number of threads, is not a positive whole number, or a limit not a positive number
 * @throws E_REDIS when a queue is named and its packages are not installed
 * @throws E_INTERNAL when threads are named and the package is not compiled
 */
export function executorOf(
  plan: Plan,
  name?: "inline" | "threads" | "slurm" | "bullmq",
  jobs?: number,
  limits: CellLimits = {},
  elsewhere?: ClusterPlace | QueuePlace,
): Executor {
  const local = (): Executor => executorOf(plan, undefined, undefined, limits);
  if (name === "slurm") {
    if (elsewhere === undefined || !("folder" in elsewhere))
      fail("E_VALUE", "the Slurm executor needs a folder that this machine and the nodes share");
    requireRegistered(plan, "jobs of Slurm");
    return slurmExecutor({ ...elsewhere, local: local(), jobs, limits });
  }
  if (name === "bullmq") {
    if (elsewhere === undefined || !("redis" in elsewhere))
      fail("E_VALUE", "the executor on a queue needs the URL of a Redis");
    requireRegistered(plan, "workers of a queue");
    return bullmqExecutor({ ...elsewhere, local: local(), jobs, limits });
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
