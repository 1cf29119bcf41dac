import { fail, GradstandError } from "../../errors/index.js";
import type { CellLimits } from "./executor.js";
import { describeTask, type Task } from "./task.js";

const MIB = 2 ** 20;

/** Gives limits back. Throws E_VALUE when one is not a positive number. */
export function requireLimits(limits: CellLimits = {}): CellLimits {
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      fail("E_VALUE", `the ${name} of a cell must be a positive number; found ${String(value)}`);
  }
  return limits;
}

/** E_TIMEOUT for a task that took longer than it may, with the function of a user's that it was in. */
export function timedOut(task: Task, seconds: number, call = ""): GradstandError {
  return new GradstandError(
    "E_TIMEOUT",
    `the ${describeTask(task)} took longer than ${seconds} s, which is all it may${call === "" ? "" : `, and was stopped in ${call}`}; nothing of it is stored`,
  );
}

/**
 * Throws E_CRASH when the buffers of this thread, the kernels' linear memory apart, take more MiB than a task may. What is not
 * yet collected counts.
 */
export function requireRoom(memory: number | undefined): void {
  if (memory === undefined) return;
  const taken = process.memoryUsage().arrayBuffers / MIB;
  if (taken > memory)
    fail("E_CRASH", `it holds ${Math.ceil(taken)} MiB of buffers, and may hold ${memory} (--memory)`);
}
