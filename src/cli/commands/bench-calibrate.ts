import { calibrate, type CalibrationSettings } from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, countOf, requireKnown, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { interruptible } from "../interruptible.js";
import { printJson } from "../print-json.js";
import { printCalibration } from "../render/calibration.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

const options = {
  jobs: { type: "string", describe: "worker threads (default one a core)" },
} as const;

/** `gradstand bench calibrate`: are the bench's own verdicts right where the answer is known? */
export const benchCalibrate: Command = {
  path: ["bench", "calibrate"],
  positionals: "",
  summary: "put questions to the bench whose answers are known",
  describe:
    "Trains thousands of small cells whose comparison has a known answer and judges them as a run is judged: identical arms, equal arms with other seeds " +
    "(false positives), planted shifts (power), a layer that changes nothing, a learning rate × 30, a model of double width, a faked mechanism. Seeds and " +
    "sizes are fixed; nothing is stored. Takes some minutes. Exit 1 when an answer is not what it must be.",
  options,
  example: "bench calibrate",
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "bench calibrate", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const words = args._ as unknown[];
    if (words.length > 0)
      fail("E_USAGE", `bench calibrate: expected nothing after it, got ${words.join(" ")}`);
    const jobs = countOf(args, "jobs");
    const interrupt = interruptible(terminal);
    try {
      const onProgress = progressOn(terminal);
      const calibration = await calibrate({
        ...(jobs !== undefined && { jobs }),
        onProgress,
        signal: interrupt.signal,
      });
      if (terminal.live) terminal.redraw([]);
      if (args.json) printJson("bench calibrate", calibration, terminal);
      else printCalibration(calibration, terminal);
      return calibration.passed ? exitCodes.done : exitCodes.checkFailed;
    } finally {
      interrupt.end();
    }
  },
};

/** One live line on a screen; in a pipe a line for each group of questions. */
function progressOn({ live, redraw, err }: Terminal): CalibrationSettings["onProgress"] {
  let last = "";
  return ({ doing, cells }) => {
    if (live) redraw([`calibrating: ${doing}, ${cells} cells trained`]);
    else if (doing !== last) err(`calibrating: ${doing}`);
    last = doing;
  };
}
