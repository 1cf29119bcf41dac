import type { Options } from "yargs";
import type { Arguments } from "../arguments.js";
import type { Terminal } from "../terminal.js";

/** One command of the command line. */
export interface Command {
  /** The words that name it, such as `["bench", "run"]`. */
  readonly path: readonly string[];
  /** The words that follow, for the help text. */
  readonly positionals: string;
  /** One line for the overview. */
  readonly summary: string;
  readonly describe: string;
  readonly options: Readonly<Record<string, Options>>;
  readonly example?: string;
  /** Runs it and gives the exit code; errors are thrown. `line` is the command as it was typed. */
  run(args: Arguments, terminal: Terminal, line: string): Promise<number> | number;
}
