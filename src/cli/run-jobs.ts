import path from "node:path";
import { planRun, type Plan } from "../bench/index.js";
import { fail } from "../errors/index.js";
import { countOf, pairsOf, textOf, type Arguments } from "./arguments.js";

/** A plan and the folder where its report goes. */
export interface Job {
  readonly plan: Plan;
  readonly folder: string;
}

/**
 * The jobs of a `bench run`, one an idea. A report goes to `reports/IDEA`, or to the folder of `--out`: of several ideas
 * each has its own folder there. Throws `E_USAGE`, and what `planRun` throws.
 */
export function runJobs(args: Arguments): Job[] {
  const names = (args._ as unknown[]).map(String);
  if (names.length === 0)
    fail("E_USAGE", "bench run: expected the name of an idea; `gradstand bench list` shows them");
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) fail("E_USAGE", `bench run: ${twice} is named twice`);
  const out = textOf(args, "out");
  const [seeds, train, test, epochs] = [
    countOf(args, "seeds"),
    countOf(args, "train"),
    countOf(args, "test"),
    countOf(args, "epochs"),
  ];
  const [preset, track, model] = [textOf(args, "preset"), textOf(args, "track"), textOf(args, "model")];
  return names.map((idea) => ({
    plan: planRun({
      idea,
      options: pairsOf(args, "option"),
      ...(preset !== undefined && { preset }),
      ...(track !== undefined && { track }),
      ...(model !== undefined && { model }),
      ...(seeds !== undefined && { seeds }),
      sizes: {
        ...(train !== undefined && { trainSize: train }),
        ...(test !== undefined && { testSize: test }),
        ...(epochs !== undefined && { epochs }),
      },
    }),
    folder: out === undefined ? path.join("reports", idea) : names.length === 1 ? out : path.join(out, idea),
  }));
}
