import { GradstandError } from "../../errors/index.js";
import { describeTask, type Task } from "./task.js";

/** What is known of an error after it has crossed a thread. */
export interface FailureText {
  readonly message: string;
  readonly stack?: string;
}

/** The text of anything that was thrown. */
export function failureText(error: unknown): FailureText {
  if (!(error instanceof Error)) return { message: String(error) };
  return error.stack === undefined
    ? { message: error.message }
    : { message: error.message, stack: error.stack };
}

/** E_CELL for a task that threw; its stack is that of the first error. */
export function taskFailure(task: Task, failure: FailureText): GradstandError {
  const cause = Object.assign(new Error(failure.message), failure.stack && { stack: failure.stack });
  return new GradstandError("E_CELL", `the ${describeTask(task)} failed: ${failure.message}`, { cause });
}
