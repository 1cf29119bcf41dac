import { fork, type ChildProcess } from "node:child_process";
import { fail } from "../../errors/index.js";
import { kernels } from "../../tensor/index.js";
import type { PluginFile } from "../plugins/plugin-file.js";
import { interrupted, type CellLimits, type Executor } from "./executor.js";
import { requireLimits, timedOut } from "./limits.js";
import { processScript } from "./process-script.js";
import type { Reply } from "./reply.js";
import { taskFailure } from "./task-failure.js";
import { taskFiles } from "./task-files.js";
import type { CellTask, Task, TaskResult } from "./task.js";

/** What a fresh process is given to do. */
export interface ProcessRequest {
  readonly task: CellTask;
  /** The set of kernels. */
  readonly kernels: string;
  readonly files: readonly PluginFile[];
}

/** Settings of the process executor. */
export interface ProcessSettings {
  /** The module that they run. */
  readonly script?: string;
  readonly limits?: CellLimits;
}

/**
 * Does each task in a process of its own, which is gone afterwards: what it measures of time and memory has nothing of an
 * earlier task in it. One after the other, whoever asks.
 *
 * @throws E_VALUE when a limit is not a positive number
 * @throws E_INTERNAL when the module is not compiled
 */
export function processExecutor(settings: ProcessSettings = {}): Executor {
  const script = settings.script ?? processScript();
  if (script === undefined)
    fail("E_INTERNAL", "fresh processes need the compiled package; run `npm run build` first");
  const { timeout, memory } = requireLimits(settings.limits);
  const execArgv = memory === undefined ? [] : [`--max-old-space-size=${Math.ceil(memory)}`];
  let closed = false;
  let running: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const attempt = async (task: Task): Promise<Reply> => {
    if (closed) throw interrupted();
    if (task.kind === "trial") fail("E_INTERNAL", "a trial of plug-ins does not run in a fresh process");
    const child = fork(script, {
      serialization: "advanced",
      execArgv,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    running = child;
    let late = false;
    const timer = setTimeout(
      () => {
        late = true;
        child.kill("SIGKILL");
      },
      timeout === undefined ? 2 ** 31 - 1 : timeout * 1000,
    );
    try {
      return await answerOf(child, { task, kernels: kernels().name, files: taskFiles(task) });
    } catch (error) {
      if (closed) throw interrupted();
      if (late) throw timedOut(task, timeout!);
      throw taskFailure(task, { message: (error as Error).message });
    } finally {
      clearTimeout(timer);
      running = undefined;
    }
  };

  const run = async <T extends Task>(task: T): Promise<TaskResult<T>> => {
    const turn = last.then(() => attempt(task));
    last = turn.catch(() => undefined);
    const reply = await turn;
    if (!reply.ok) throw taskFailure(task, reply.failure);
    return reply.result as TaskResult<T>;
  };

  const close = async (): Promise<void> => {
    closed = true;
    running?.kill("SIGKILL");
    await last;
  };

  return { name: "process", workers: 1, run, close };
}

/** The answer of a process, once it has ended. */
function answerOf(child: ChildProcess, request: ProcessRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    let reply: Reply | undefined;
    child.once("message", (message) => (reply = message as Reply));
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (reply) resolve(reply);
      else reject(new Error(`its process ended without an answer (${signal ?? `exit code ${code}`})`));
    });
    child.send(request, (error) => void (error && reject(error)));
  });
}
