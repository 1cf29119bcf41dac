import type { FailureText } from "./task-failure.js";
import type { TaskResult } from "./task.js";

/** What a worker answers: an error of the task is an answer too, so that only the death of a worker is a rejection. */
export type Reply =
  { readonly ok: true; readonly result: TaskResult } | { readonly ok: false; readonly failure: FailureText };
