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

/**
 * Runs a command line in this process as one that was started in a folder: its relative paths are from there, and each line of what
 * it writes ends as on a terminal. For tests of many command lines, none of which ends the process or writes beside its terminal.
 */
export async function inProcessAt(words: readonly string[], folder: string): Promise<Outcome> {
  const [here, actions] = [process.cwd(), process.env.GITHUB_ACTIONS];
  process.chdir(folder);
  delete process.env.GITHUB_ACTIONS;
  try {
    const terminal = recordingTerminal();
    const code = await runCommandLine(words, terminal);
    const written = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
    return { code, out: written(terminal.results), err: written(terminal.notes) };
  } finally {
    process.chdir(here);
    if (actions !== undefined) process.env.GITHUB_ACTIONS = actions;
  }
}
