import { suggestion } from "../../bench/index.js";
import { errorCodes, fail, isErrorCode } from "../../errors/index.js";
import { commonOptions, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printJson } from "../print-json.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

/** `gradstand explain CODE`: an error at length. */
export const explain: Command = {
  path: ["explain"],
  positionals: "CODE",
  summary: "an error code at length",
  describe: "Explains an error code. Without one, lists them all.",
  options: {},
  example: "explain E_SHAPE",
  run(args: Arguments, terminal: Terminal): number {
    requireKnown(args, "explain", Object.keys(commonOptions), []);
    const words = (args._ as unknown[]).map(String);
    const codes = Object.keys(errorCodes) as (keyof typeof errorCodes)[];
    if (words.length > 1) fail("E_USAGE", `explain: expected one code, got ${words.join(" ")}`);
    const [word] = words;
    const shown = word === undefined ? codes : [word.toUpperCase()];
    for (const code of shown) {
      if (!isErrorCode(code))
        fail("E_USAGE", `explain: there is no error code '${word}'; ${suggestion(code, codes)}`);
    }
    if (args.json) {
      const explained = shown.map((code) => ({ code, ...errorCodes[code as keyof typeof errorCodes] }));
      printJson("explain", { codes: explained }, terminal);
    } else if (word === undefined) {
      for (const code of codes)
        terminal.out(`${terminal.colour.bold(code.padEnd(18))} ${errorCodes[code].title}`);
    } else {
      const { title, explanation } = errorCodes[shown[0] as keyof typeof errorCodes];
      terminal.out(`${terminal.colour.bold(shown[0])}: ${title}\n\n${explanation}`);
    }
    return exitCodes.done;
  },
};
