import yargs from "yargs";
import { packageVersion, suggestion } from "../bench/index.js";
import { fail, GradstandError } from "../errors/index.js";
import { useKernels } from "../tensor/index.js";
import { commonOptions, type Arguments } from "./arguments.js";
import { commands, type Command } from "./commands/index.js";
import { exitCodeOf, exitCodes } from "./exit-codes.js";
import { requireShapes } from "./option-shapes.js";
import { shellLine } from "./shell-line.js";
import { processTerminal, type Terminal } from "./terminal.js";

/** Runs one command line and gives the exit code of the process. */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal = processTerminal(colourFlag(words)),
): Promise<number> {
  try {
    if (process.env.GRADSTAND_KERNELS) useKernels(process.env.GRADSTAND_KERNELS);
    return await dispatch(words, terminal);
  } catch (error) {
    return report(error, terminal);
  }
}

/** What the last of `--color`, `--color=…` and `--no-color` asks for; undefined without one. */
function colourFlag(words: readonly string[]): boolean | undefined {
  const flag = words.findLast((word) => /^--(no-)?color(=(true|false))?$/.test(word));
  return flag === undefined ? undefined : flag.startsWith("--no-") === flag.endsWith("=false");
}

/** Finds the command that the first words name, lets yargs read its options, and runs it. */
async function dispatch(words: readonly string[], terminal: Terminal): Promise<number> {
  const [first, second] = words.filter((word) => !word.startsWith("-"));
  if (words.includes("--version")) {
    terminal.out(packageVersion());
    return exitCodes.done;
  }
  const named = [...commands.values()].find(
    ({ path }) => path[0] === first && (path.length === 1 || path[1] === second),
  );
  if (first === "help") {
    terminal.out(overview());
    return exitCodes.done;
  }
  if (!named) {
    if (first === undefined || (first === "bench" && second === undefined)) {
      const stray = words.find(
        (word) => word.startsWith("-") && !["--help", "-h", "--color", "--no-color"].includes(word),
      );
      if (stray !== undefined)
        fail("E_USAGE", `expected a command before ${stray}; \`gradstand --help\` lists them`);
      const asked = words.includes("--help") || words.includes("-h");
      (asked ? terminal.out : terminal.err)(overview());
      return asked ? exitCodes.done : exitCodes.usage;
    }
    const tops = new Set([...commands.values()].map(({ path }) => path[0]));
    if (first === "bench") {
      const below = [...commands.values()].flatMap(({ path }) => (path[0] === "bench" ? [path[1]!] : []));
      fail("E_USAGE", `there is no command 'bench ${second}'; ${suggestion(second!, below)}`);
    }
    fail("E_USAGE", `there is no command '${first}'; ${suggestion(first, tops)}`);
  }
  return parseAndRun(named, words, terminal);
}

async function parseAndRun(command: Command, words: readonly string[], terminal: Terminal): Promise<number> {
  const rest = [...words];
  for (const word of command.path) rest.splice(rest.indexOf(word), 1);
  const options = { ...commonOptions, ...command.options };
  const parser = yargs(rest)
    .scriptName(`gradstand ${command.path.join(" ")}`)
    .usage(`$0 ${command.positionals}\n\n${command.describe}`)
    .options(options)
    .parserConfiguration({
      "dot-notation": false,
      "boolean-negation": true,
      "parse-numbers": false,
      "parse-positional-numbers": false,
    })
    .exitProcess(false)
    .version(false)
    .help(false)
    .epilogue(command.example ? `Example: gradstand ${command.example}` : "")
    .fail((message, error) => {
      const typed = message ?? error.message;
      throw error instanceof GradstandError ? error : new GradstandError("E_USAGE", typed, { cause: error });
    });
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(await parser.getHelp());
    return exitCodes.done;
  }
  requireShapes(rest, options);
  const args = (await parser.parseAsync()) as Arguments;
  return command.run(args, terminal, shellLine(["npx", "gradstand", ...words]));
}

function overview(): string {
  const names = [...commands.values()].map(
    ({ path, positionals }) => `  gradstand ${[...path, positionals].filter(Boolean).join(" ")}`,
  );
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const lines = [...commands.values()].map((command, i) => `${names[i]!.padEnd(width)}${command.summary}`);
  return [
    "gradstand: does this neural-net idea work?",
    "",
    ...lines,
    "",
    "Each command explains itself with --help.",
  ].join("\n");
}

/** Prints an error as a person reads it, and as an annotation where CI asks for one. */
function report(error: unknown, terminal: Terminal): number {
  const code = exitCodeOf(error);
  const known = error instanceof GradstandError;
  const message = known
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  terminal.err(terminal.errColour.red(known ? message : `E_INTERNAL: ${message}`));
  if (known && code !== exitCodes.interrupted)
    terminal.err(terminal.errColour.dim(`gradstand explain ${error.code} says more`));
  if (process.env.GITHUB_ACTIONS === "true")
    terminal.err(
      `::error::${message.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}`,
    );
  return code;
}
