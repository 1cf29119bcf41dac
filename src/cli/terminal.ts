import { Chalk, chalkStderr, default as chalk, type ChalkInstance } from "chalk";

/** Where a command writes: results to `out`, progress and notes to `err`. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Colours for results. */
  readonly colour: ChalkInstance;
  /** Colours for progress and notes. */
  readonly errColour: ChalkInstance;
  /** Whether `err` is a screen whose lines can be redrawn. */
  readonly live: boolean;
  readonly columns: number;
}

/** Whether colour is allowed: `--color` and `--no-color` over `NO_COLOR` over what the stream supports (`FORCE_COLOR` too). */
function level(supported: number, flag: boolean | undefined): number {
  if (flag !== undefined) return flag ? Math.max(1, supported) : 0;
  return process.env.NO_COLOR ? 0 : supported;
}

/** The terminal of this process. */
export function processTerminal(colourFlag?: boolean): Terminal {
  const chalkOf = (supported: number): ChalkInstance =>
    new Chalk({ level: level(supported, colourFlag) as 0 | 1 | 2 | 3 });
  return {
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    colour: chalkOf(chalk.level),
    errColour: chalkOf(chalkStderr.level),
    live: process.stderr.isTTY && !process.env.CI,
    columns: process.stderr.columns || 80,
  };
}
