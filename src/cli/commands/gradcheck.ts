import { suggestion } from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import { gradcheckFile, type FileReport } from "../../testing/gradcheck-file/index.js";
import { commonOptions, countOf, positiveOf, requireKnown, textOf, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printJson } from "../print-json.js";
import { annotate } from "../render/annotations.js";
import { printCheckLine, printTotals } from "../render/gradcheck-lines.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

const options = {
  seed: { type: "string", describe: "the seed of the inputs that are drawn (0)" },
  runs: { type: "string", describe: "how many inputs are drawn for a signature (10)" },
  tolerance: {
    type: "string",
    describe: "largest error of a gradient, relative to max(1, |g|) (1e-9); a case may have its own",
  },
  only: { type: "string", describe: "check the case or idea of this name alone" },
  float32: { type: "boolean", describe: "compare the float32 gradient with the float64 one as well" },
  timeout: { type: "string", describe: "seconds that the import, or one check, may take (60)" },
} as const;

const format = `The file is TypeScript or JavaScript and needs no build step. It is checked what it exports:

  import { tensor } from "gradstand";
  import { Linear } from "gradstand/nn";

  export const gate = (x, h) => x.sigmoid().mul(h);     // a function of tensors, with
  gate.signature = "(m,n),(m,n)->(m,n)";                //   a signature: inputs are drawn
  export const cases = [
    { name: "fixed", f: gate, inputs: [tensor([1, 2]), tensor([3, 4])] },
    { f: gate, signature: "(n),(n)->(n)", domain: [0.5, 2], tolerance: 1e-8 },
    { name: "layer", f: new Linear(3, 2, { rng }), signature: "(...,3)->(...,2)" },
  ];                                                    // a module: its parameters are checked too
  export default { name: "my-idea", ... };              // an idea: its identities, and what it changes

Each is checked in float64: the result, its gradients and second derivatives against differences, forward against reverse
mode, zeros for a cotangent of zeros, and the same bits twice. Exit 0 when all passed, 1 when one failed, 2 when the file
cannot be used, 5 when it has nothing to check.`;

/** `gradstand gradcheck FILE`: are the gradients of a user's functions, modules and ideas right? */
export const gradcheck: Command = {
  path: ["gradcheck"],
  positionals: "FILE",
  summary: "check the gradients of your own functions, modules or ideas",
  describe: format,
  options,
  example: "gradcheck my-layer.ts --runs 50",
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "gradcheck", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const files = (args._ as unknown[]).map(String);
    if (files.length !== 1)
      fail("E_USAGE", `gradcheck: expected one file, got ${files.length === 0 ? "none" : files.join(" ")}`);
    const file = files[0]!;
    const only = textOf(args, "only");
    const seed = countOf(args, "seed", 0) ?? 0;
    const quiet = args.json === true;
    let subject = "";
    const report = await gradcheckFile(file, {
      seed,
      runs: countOf(args, "runs") ?? 10,
      tolerance: positiveOf(args, "tolerance"),
      float32: args.float32 === true,
      timeout: positiveOf(args, "timeout") ?? 60,
      only,
      onLine: (line) => {
        if (quiet) return;
        printCheckLine(line, line.subject !== subject, terminal);
        subject = line.subject;
      },
    });
    if (only !== undefined && report.lines.length === 0 && report.names.length > 0)
      fail("E_USAGE", `--only: ${file} has no case or idea '${only}'; ${suggestion(only, report.names)}`);
    const counts = countsOf(report);
    if (process.env.GITHUB_ACTIONS === "true") annotate(file, report.lines, terminal);
    if (quiet)
      printJson(
        "gradcheck",
        { file, seed, ...counts, passedOver: report.passedOver, checks: report.lines },
        terminal,
      );
    else printTotals(counts, { file, seed, passedOver: report.passedOver }, terminal);
    if (counts.passed + counts.failed === 0) return exitCodes.nothingRan;
    return counts.failed > 0 ? exitCodes.checkFailed : exitCodes.done;
  },
};

function countsOf({ lines }: FileReport): { passed: number; failed: number } {
  const count = (status: string): number => lines.filter((line) => line.status === status).length;
  return { passed: count("passed"), failed: count("failed") };
}
