import { exitCodes } from "./exit-codes.js";
import type { Terminal } from "./terminal.js";

/** Turns the first Ctrl-C into an orderly stop; a second one ends the process at once. */
export function interruptible(
  terminal: Terminal,
  what = "finished cells are kept",
): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    terminal.err(`\nstopping: ${what}; Ctrl-C again stops at once`);
    controller.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    signal: controller.signal,
    end: () => {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
}
