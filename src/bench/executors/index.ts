export { bullmqExecutor, type BullmqSettings } from "./bullmq/bullmq.js";
export { defaultRedis } from "./bullmq/connection.js";
export {
  queueWorker,
  type DoneCell,
  type QueueWorker,
  type QueueWorkerSettings,
} from "./bullmq/queue-worker.js";
export { runTold, type CellLimits, type Executor, type TaskHooks } from "./executor.js";
export { inlineExecutor } from "./inline.js";
export { processExecutor, type ProcessSettings } from "./process.js";
export { sharePlaces } from "./shared-places.js";
export type { Task, TaskResult } from "./task.js";
export { slurmExecutor, type SlurmSettings } from "./slurm/slurm.js";
export { threadExecutor, type ThreadSettings } from "./threads.js";
export { workerScript } from "./worker-script.js";
