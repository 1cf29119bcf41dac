import { Chalk, chalkStderr, default as chalk, type ChalkInstance } from "chalk";

/** Where a command writes: results to `out`, progress and notes to `err`. */
export interface Terminal {
  out(text: string): void;
  /** Writes a line above the live ones. */
  err(text: string): void;
  /**
   * Puts lines in the place of the live ones, which are the last of `err`, as many as the screen has room for; none takes them away. Needs
   * `live`.
   */
  redraw(lines: readonly string[]): void;
  /** Colours for results. */
  readonly colour: ChalkInstance;
  /** Colours for progress and notes. */
  readonly errColour: ChalkInstance;
  /** Whether `err` is a screen whose lines can be redrawn. */
  readonly live: boolean;
}

/** A stream that a terminal writes to. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Whether colour is allowed: `--color` and `--no-color` over `NO_COLOR` over what the stream supports (`FORCE_COLOR` too). */
function level(supported: number, flag: boolean | undefined): number {
  if (flag !== undefined) return flag ? Math.max(1, supported) : 0;
  return process.env.NO_COLOR ? 0 : supported;
}

/** The terminal of this process. */
export function processTerminal(
  colourFlag?: boolean,
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output } = process,
): Terminal {
  const chalkOf = (supported: number): ChalkInstance =>
    new Chalk({ level: level(supported, colourFlag) as 0 | 1 | 2 | 3 });
  let drawn: readonly string[] = [];
  const redraw = (lines: readonly string[]): void => {
    if (drawn.length > 0) stderr.write(`\u001b[${drawn.length}A\u001b[0J`);
    // Lines that have left the screen could not be taken away again.
    drawn = lines.slice(0, (stderr.rows || 24) - 1);
    for (const line of drawn) stderr.write(`${line.slice(0, (stderr.columns || 80) - 1)}\n`);
  };
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => {
      const lines = drawn;
      redraw([]);
      stderr.write(`${text}\n`);
      redraw(lines);
    },
    redraw,
    colour: chalkOf(chalk.level),
    errColour: chalkOf(chalkStderr.level),
    live: stderr.isTTY === true && !process.env.CI,
  };
}
