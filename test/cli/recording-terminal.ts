import { Chalk } from "chalk";
import { runCommandLine } from "../../src/cli/command-line.js";
import type { Terminal } from "../../src/cli/terminal.js";
import type { Outcome } from "./command.js";

/** A terminal that keeps what is written to it. */
export interface RecordingTerminal extends Terminal {
  readonly results: string[];
  readonly notes: string[];
  /** The live lines after each redraw. */
  readonly screens: (readonly string[])[];
}

/** A terminal without colours, or with; `onNote` is told each note as it comes. */
export function recordingTerminal({
  live = false,
  coloured = false,
  onNote,
}: {
  readonly live?: boolean;
  readonly coloured?: boolean;
  readonly onNote?: (note: string) => void;
} = {}): RecordingTerminal {
  const colour = new Chalk({ level: coloured ? 1 : 0 });
  const [results, notes, screens]: [string[], string[], (readonly string[])[]] = [[], [], []];
  return {
    results,
    notes,
    screens,
    out: (text) => void results.push(text),
    err: (text) => {
      notes.push(text);
      onNote?.(text);
    },
    redraw: (lines) => void screens.push(lines),
    colour,
    errColour: colour,
    live,
  };
}

/** Runs a command line in this process. */
export async function inProcess(words: readonly string[], terminal = recordingTerminal()): Promise<Outcome> {
  const code = await runCommandLine(words, terminal);
  return { code, out: terminal.results.join("\n"), err: terminal.notes.join("\n") };
}
