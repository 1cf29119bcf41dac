import type { Outcome } from "./command.js";
import { inProcess, recordingTerminal } from "./recording-terminal.js";

/** Runs a command line in this process and stops it as Ctrl-C does once a note matches. */
export function stoppedAt(line: string, note: RegExp): Promise<Outcome> {
  const onNote = (text: string): void => void (note.test(text) && process.emit("SIGINT"));
  return inProcess(line.split(" "), recordingTerminal({ onNote }));
}
