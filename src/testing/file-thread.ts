import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { packageRoot } from "../bench/package-place.js";
import { fail } from "../errors/index.js";

/** A thread that runs a user's file, so that one that never ends can be stopped. */
export interface FileThread {
  readonly worker: Worker;
  /** Ends the thread, `given` milliseconds later where it has not ended by itself, and settles when it has ended. */
  end(settle: () => void, given?: number): void;
}

/**
 * Starts a thread from a script of the compiled package, by its path in `dist`. What the file prints goes to stderr.
 *
 * @throws E_INTERNAL where the package is not compiled
 */
export function fileThread(script: string, request: unknown): FileThread {
  const file = path.join(packageRoot(), "dist", script);
  if (!fs.existsSync(file)) fail("E_INTERNAL", `${file} does not exist; npm run build makes it`);
  const worker = new Worker(file, { workerData: request, stdout: true, stderr: true });
  worker.stdout.pipe(process.stderr, { end: false });
  worker.stderr.pipe(process.stderr, { end: false });
  return {
    worker,
    end(settle, given = 0) {
      worker.removeAllListeners("exit");
      if (worker.threadId === -1) return settle();
      worker.once("exit", settle);
      // A file may leave timers behind; what it printed still arrives.
      setTimeout(() => void worker.terminate(), given).unref();
    },
  };
}
