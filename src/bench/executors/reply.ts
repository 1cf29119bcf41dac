import { GradstandError } from "../../errors/index.js";
import type { Json } from "../../ideas/index.js";
import { canonicalJson, parseCanonicalJson } from "../cells/canonical.js";
import type { FailureText } from "./task-failure.js";
import type { TaskResult } from "./task.js";

/** What a worker answers: an error of the task is an answer too, so that only the death of a worker is a rejection. */
export type Reply =
  { readonly ok: true; readonly result: TaskResult } | { readonly ok: false; readonly failure: FailureText };

/** An answer as text, to the bit: it holds numbers that JSON has not, such as the metric of a diverged cell. */
export function encodeReply(reply: Reply): string {
  return canonicalJson(reply as unknown as Json);
}

/** The answer of a text that {@link encodeReply} made. */
export function decodeReply(text: string): Reply {
  return parseCanonicalJson(text) as unknown as Reply;
}

/** What another machine computed. Throws the error that ended the task there, which names it. */
export function resultOf(reply: Reply): TaskResult {
  if (reply.ok) return reply.result;
  const { code = "E_CELL", message, stack } = reply.failure;
  const said = message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message;
  throw new GradstandError(code, said, { cause: Object.assign(new Error(message), stack && { stack }) });
}
