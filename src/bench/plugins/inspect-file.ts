import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { GradstandError, type ErrorCode } from "../../errors/index.js";
import type { IdeaOptions } from "../../ideas/index.js";
import { kernels } from "../../tensor/index.js";
import { packageRoot } from "../package-place.js";

/** What the thread is asked to do. */
export interface InspectRequest {
  readonly file: string;
  /** The set of kernels. */
  readonly kernels: string;
  /** Options with which each idea's `change` is called. */
  readonly options: IdeaOptions;
}

/** What the thread tells. */
export type InspectMessage =
  /** It has its own modules, and imports the file now. */
  | { readonly kind: "started" }
  /** What it does from now on, such as `my-idea: change()`. */
  | { readonly kind: "at"; readonly part: string }
  | { readonly kind: "error"; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: "end" };

/** Options of {@link inspectFile}. */
export interface InspectOptions {
  /** Seconds that the import, or one call, may take. */
  readonly timeout: number;
  /** Options of the ideas that differ from their defaults. */
  readonly options?: IdeaOptions;
}

/**
 * Loads a user's file in a thread of its own and calls `change` of its ideas once, so that a file that never ends is stopped before
 * this thread touches it. Does nothing where the package is not compiled.
 *
 * @throws E_PLUGIN_FILE when the import does not end in time, and what `loadPlugins` throws
 * @throws E_PLUGIN when a call does not end in time, and what the guarded call throws
 */
export async function inspectFile(file: string, { timeout, options = {} }: InspectOptions): Promise<void> {
  const script = path.join(packageRoot(), "dist/bench/plugins/inspect-worker.js");
  if (!fs.existsSync(script)) return;
  const request: InspectRequest = { file, kernels: kernels().name, options };
  const worker = new Worker(script, { workerData: request, stdout: true, stderr: true });
  worker.stdout.pipe(process.stderr, { end: false });
  worker.stderr.pipe(process.stderr, { end: false });
  let part: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (why: string): GradstandError =>
    part === undefined
      ? new GradstandError("E_PLUGIN_FILE", `${file}: ${why} while it was imported`)
      : new GradstandError("E_PLUGIN", `${file}: ${part}: ${why}`);
  try {
    await new Promise<void>((resolve, reject) => {
      const wait = (): void => {
        clearTimeout(timer);
        timer = setTimeout(
          () =>
            reject(giveUp(`it did not end within ${timeout} s, and was stopped (--timeout sets the time)`)),
          timeout * 1000,
        );
      };
      // The time of the file begins when the thread is ready for it.
      worker.on("message", (message: InspectMessage) => {
        wait();
        if (message.kind === "at") part = message.part;
        else if (message.kind === "end") resolve();
        else if (message.kind === "error") reject(new GradstandError(message.code, message.message));
      });
      worker.on("error", (error) => reject(giveUp(`it threw ${error.message} outside of any call`)));
      worker.on("exit", (code) => reject(giveUp(`it ended the process with code ${code}`)));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
