import { GradstandError, type ErrorCode } from "../../errors/index.js";
import { kernels } from "../../tensor/index.js";
import { fileThread } from "../file-thread.js";
import type { CheckOptions } from "./check-case.js";
import type { CheckLine } from "./check-line.js";
import type { Message, Request } from "./messages.js";

/** Options of {@link gradcheckFile}. */
export interface FileOptions extends CheckOptions {
  /** Check this case or idea alone. */
  readonly only?: string | undefined;
  /** Seconds that the import, or one check, may take. */
  readonly timeout: number;
  /** Told of each line as it comes. */
  readonly onLine?: (line: CheckLine) => void;
}

/** What the checks of a file found. */
export interface FileReport {
  readonly lines: readonly CheckLine[];
  /** Every case and idea of the file. */
  readonly names: readonly string[];
  /** Exported functions and modules that say neither inputs nor signature. */
  readonly passedOver: readonly string[];
}

/**
 * Checks the functions, modules and ideas of a file in a thread of its own, so that one that never ends can be stopped: its check
 * fails, and those after it are not run.
 *
 * @throws E_GRADCHECK_FILE when the file cannot be imported within the time, or what it exports is not well formed
 */
export function gradcheckFile(file: string, options: FileOptions): Promise<FileReport> {
  const { onLine, timeout, only, ...checks } = options;
  const request: Request = { file, kernels: kernels().name, only, ...checks };
  return new Promise((resolve, reject) => {
    const thread = fileThread("testing/gradcheck-file/worker.js", request);
    const { worker } = thread;
    const lines: CheckLine[] = [];
    let current: string | undefined;
    let found: Extract<Message, { kind: "found" }> | undefined;
    const add = (line: CheckLine): void => {
      lines.push(line);
      onLine?.(line);
    };
    const end = (settle: () => void, given?: number): void => {
      clearTimeout(timer);
      thread.end(settle, given);
    };
    const refuse = (code: ErrorCode, message: string): void =>
      end(() => reject(new GradstandError(code, message)));
    const finish = (given?: number): void =>
      end(() => resolve({ lines, names: found?.names ?? [], passedOver: found?.passedOver ?? [] }), given);
    /** What the thread was at is given up; before the file was imported that is the file's fault. */
    const giveUp = (why: string): void => {
      if (!found) return refuse("E_GRADCHECK_FILE", `${file}: ${why} while it was imported`);
      add({
        subject: current ?? file,
        check: "Time",
        status: "failed",
        message: `${why}; what comes after it was not run`,
      });
      finish();
    };
    const late = (): void => giveUp(`it did not end within ${timeout} s`);
    let timer = setTimeout(late, timeout * 1000);
    worker.on("message", (message: Message) => {
      clearTimeout(timer);
      timer = setTimeout(late, timeout * 1000);
      if (message.kind === "found") found = message;
      else if (message.kind === "subject") current = message.name;
      else if (message.kind === "line") add(message.line);
      else if (message.kind === "error") refuse(message.code, message.message);
      else finish(1000);
    });
    worker.on("error", (error) => giveUp(`it threw ${error.message} outside of any call`));
    worker.on("exit", (code) => giveUp(`it ended the process with code ${code}`));
  });
}
