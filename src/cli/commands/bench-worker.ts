import { queueWorker } from "../../bench/executors/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, countOf, requireKnown, type Arguments } from "../arguments.js";
import { redisAsked, redisOption } from "../executor-asked.js";
import { exitCodes } from "../exit-codes.js";
import { interruptible } from "../interruptible.js";
import { printJson } from "../print-json.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

const options = {
  ...redisOption,
  jobs: { type: "string", describe: "cells at the same time (default one a core)" },
} as const;

/** `gradstand bench worker`: trains cells for runs with `--executor bullmq`. */
export const benchWorker: Command = {
  path: ["bench", "worker"],
  positionals: "",
  summary: "train cells of the queue on Redis, on any machine",
  describe:
    "Takes cells from the queue that `bench run --executor bullmq` fills, trains them in worker threads and leaves their answers in Redis, until it is " +
    "stopped by Ctrl-C: cells under way then go back into the queue. It takes cells of its own version of gradstand only. Start it in a folder " +
    "that has the files of your own ideas, tracks and models under the same paths as where the run was started. Needs the packages bullmq and ioredis.",
  options,
  example: "bench worker --redis redis://queue.example:6379 --jobs 8",
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "bench worker", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const words = args._ as unknown[];
    if (words.length > 0) fail("E_USAGE", `bench worker: expected nothing after it, got ${words.join(" ")}`);
    const redis = redisAsked(args);
    const { signal, end } = interruptible(terminal, "cells under way go back into the queue");
    const done = { cells: 0, failed: 0 };
    try {
      const worker = await queueWorker({
        redis,
        jobs: countOf(args, "jobs"),
        onNotice: terminal.err,
        onDone: ({ cell, seconds, failed }) => {
          done.cells += 1;
          if (failed !== undefined) done.failed += 1;
          terminal.err(failed ?? `${cell}: ${seconds.toFixed(1)} s`);
        },
      });
      terminal.err(
        `takes cells of the queue ${worker.queue}, ${worker.jobs} at the same time; Ctrl-C stops it`,
      );
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await worker.close();
    } finally {
      end();
    }
    if (args.json) printJson("bench worker", done, terminal);
    else
      terminal.out(
        `${done.cells} ${done.cells === 1 ? "cell" : "cells"} done${done.failed > 0 ? `, of which ${done.failed} failed` : ""}`,
      );
    return exitCodes.done;
  },
};
