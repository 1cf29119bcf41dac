import fs from "node:fs";
import path from "node:path";
import { collectGarbage, type Garbage } from "../../bench/index.js";
import { fail } from "../../errors/index.js";
import { commonOptions, requireKnown, textOf, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { printJson } from "../print-json.js";
import { defaultStore } from "../stored-runs.js";
import type { Terminal } from "../terminal.js";
import type { Command } from "./command.js";

const options = {
  store: { type: "string", describe: `folder of finished cells (default ${defaultStore})` },
  "dry-run": { type: "boolean", describe: "say what would be removed, and remove nothing" },
} as const;

/** `gradstand bench gc`: removes stored cells that no plan refers to. */
export const benchGc: Command = {
  path: ["bench", "gc"],
  positionals: "",
  summary: "remove stored cells that no plan refers to",
  describe:
    "Removes from the store the cells that no run refers to whose plan, bench_run.json, is still in the folder of its report, and what " +
    "killed runs left half-written. A file that is not certainly a cell of this package stays, and is named.",
  options,
  example: "bench gc --dry-run",
  run(args: Arguments, terminal: Terminal): number {
    requireKnown(args, "bench gc", [...Object.keys(options), ...Object.keys(commonOptions)], []);
    const words = (args._ as unknown[]).map(String);
    if (words.length > 0) fail("E_USAGE", `bench gc: expected nothing after it, got ${words.join(" ")}`);
    const store = textOf(args, "store") ?? defaultStore;
    if (!fs.existsSync(store))
      fail("E_USAGE", `bench gc: there is no store in ${store}; name one with --store`);
    const dryRun = args["dry-run"] === true;
    const garbage = collectGarbage(store, { dryRun });
    if (args.json) printJson("bench gc", { store: path.resolve(store), dryRun, ...garbage }, terminal);
    else print(garbage, dryRun, terminal);
    return exitCodes.done;
  },
};

function print(
  { removed, kept, left, endedRuns }: Garbage,
  dryRun: boolean,
  { out, err, colour }: Terminal,
): void {
  for (const { file, why } of left) err(`${file} stays: ${why}`);
  for (const folder of endedRuns) out(colour.dim(`the plan of the run in ${folder} is gone or was replaced`));
  if (dryRun) for (const { file } of removed) out(file);
  const megabytes = (removed.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
  out(
    `${dryRun ? "would remove" : "removed"} ${removed.length} ${removed.length === 1 ? "file" : "files"} (${megabytes} MB); ` +
      `${kept} ${kept === 1 ? "cell stays that a plan refers" : "cells stay that plans refer"} to`,
  );
}
