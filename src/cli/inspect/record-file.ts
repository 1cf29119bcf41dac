import { GradstandError, type ErrorCode } from "../../errors/index.js";
import type { InspectDocument } from "../../inspect/index.js";
import { kernels } from "../../tensor/index.js";
import { fileThread } from "../../testing/file-thread.js";
import type { RecordMessage, RecordOptions, RecordRequest } from "./record-messages.js";

/** What of a file is recorded. */
export interface FileRequest {
  readonly file: string;
  readonly only: string | undefined;
  readonly seed: number;
  /** Seconds that the import and the recording may take together. */
  readonly timeout: number;
}

/**
 * Records a computation of a user's file in a thread of its own, so that one that never ends can be stopped. What the file prints goes to
 * stderr. It is read anew each time.
 *
 * @param signal stops it
 * @throws E_INTERRUPTED when it was stopped
 * @throws E_INSPECT_FILE when it does not end within the time, ends the process, or cannot be used; and what the recording throws
 */
export function recordFile(
  { file, only, seed, timeout }: FileRequest,
  options: RecordOptions,
  signal?: AbortSignal,
): Promise<InspectDocument> {
  const request: RecordRequest = { file, kernels: kernels().name, only, seed, options };
  return new Promise((resolve, reject) => {
    const thread = fileThread("cli/inspect/record-worker.js", request);
    const { worker } = thread;
    let phase = "imported";
    const end = (settle: () => void, given?: number): void => {
      clearTimeout(timer);
      thread.end(settle, given);
    };
    const refuse = (code: ErrorCode, message: string): void =>
      end(() => reject(new GradstandError(code, message)));
    const giveUp = (why: string): void => refuse("E_INSPECT_FILE", `${file}: ${why} while it was ${phase}`);
    const timer = setTimeout(
      () =>
        refuse(
          "E_INSPECT_FILE",
          `${file}: it did not end within ${timeout} s while it was ${phase}; --timeout SECONDS allows more`,
        ),
      timeout * 1000,
    );
    signal?.addEventListener("abort", () =>
      refuse("E_INTERRUPTED", `${file}: stopped while it was ${phase}`),
    );
    worker.on("message", (message: RecordMessage) => {
      if (message.kind === "imported") phase = "recorded";
      else if (message.kind === "document") end(() => resolve(message.document), 1000);
      else refuse(message.code, message.message);
    });
    worker.on("error", (error) => giveUp(`it threw ${error.message} outside of any call`));
    worker.on("exit", (code) => giveUp(`it ended the process with code ${code}`));
  });
}
