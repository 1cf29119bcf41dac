import { GradstandError, type ErrorCode } from "../../errors/index.js";
import { describeTask, type Task } from "./task.js";

/** What is known of an error after it has crossed a thread. */
export interface FailureText {
  /** Absent for anything but an error of this package. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly stack?: string;
}

/** Codes that say more than that a cell failed: a task passes them on. */
const passedOn: ReadonlySet<ErrorCode> = new Set([
  "E_PLUGIN",
  "E_PLUGIN_FILE",
  "E_IMPURE",
  "E_NONDETERMINISM",
]);

/** The text of anything that was thrown. */
export function failureText(error: unknown): FailureText {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  return {
    ...(error instanceof GradstandError && { code: error.code }),
    message,
    ...(stack !== undefined && { stack }),
  };
}

/** The error of a task that threw, E_CELL unless its own code says more; its cause has the stack of the first error. */
export function taskFailure(task: Task, { code, message, stack }: FailureText): GradstandError {
  const cause = Object.assign(new Error(message), stack && { stack });
  if (code === "E_CRASH") return crashed(task, message.slice(code.length + 2), cause);
  if (code !== undefined && passedOn.has(code)) {
    const said = message.slice(code.length + 2);
    return new GradstandError(code, `${said} (in the ${describeTask(task)})`, { cause });
  }
  return new GradstandError("E_CELL", `the ${describeTask(task)} failed: ${message}`, { cause });
}

/** E_CRASH for a task whose machine failed it: what it computes may be sound, and another attempt may end well. */
export function crashed(task: Task, reason: string, cause?: unknown): GradstandError {
  return new GradstandError("E_CRASH", `the ${describeTask(task)} failed: ${reason}`, { cause });
}
