import os from "node:os";
import { forecastRun, peekStore, type RunForecast } from "../../bench/index.js";
import { commonOptions, countOf, requireKnown, textOf, type Arguments } from "../arguments.js";
import { exitCodes } from "../exit-codes.js";
import { namedFiles } from "../named-files.js";
import { printJson } from "../print-json.js";
import { printForecast, type PlannedJob } from "../render/forecast.js";
import { runJobs, type Job } from "../run-jobs.js";
import { resolveSettings } from "../settings/index.js";
import { defaultStore } from "../stored-runs.js";
import type { Terminal } from "../terminal.js";
import { runOptions } from "./bench-run.js";
import type { Command } from "./command.js";

/** `gradstand bench plan IDEA…`: what a run would do, cost and be able to find, with nothing of it done. */
export const benchPlan: Command = {
  path: ["bench", "plan"],
  positionals: "IDEA [IDEA..]",
  summary: "cells, cost and smallest detectable effect of a run, before anything is spent",
  describe:
    "Shows what `bench run` with the same words would do: its protocol and where each setting comes from, its cells and those that are stored, " +
    "the estimated time, and the smallest effect that it can detect. Trains nothing but a trial of some steps where no stored cell tells the time. " +
    "A plan with which no outcome could be significant is refused.",
  options: runOptions,
  example: "bench plan moment-rank2 --seeds 12",
  async run(args: Arguments, terminal: Terminal): Promise<number> {
    requireKnown(args, "bench plan", [...Object.keys(runOptions), ...Object.keys(commonOptions)], []);
    const { args: settled, sources } = await resolveSettings(args, runOptions);
    const jobs = runJobs(settled, await namedFiles(settled), "bench plan");
    const store = peekStore(textOf(settled, "store") ?? defaultStore);
    const workers = countOf(settled, "jobs") ?? os.availableParallelism();
    const planned = jobs.map((job): PlannedJob => ({ job, forecast: forecastRun(job.plan, store, workers) }));
    if (args.json)
      printJson(
        "bench plan",
        { settings: sources, plans: planned.map(plainJob), ...totals(planned) },
        terminal,
      );
    else printForecast(planned, { sources, store: store.location, ...totals(planned) }, terminal);
    return exitCodes.done;
  },
};

function plainJob({ job, forecast }: { readonly job: Job; readonly forecast: RunForecast }): object {
  const { plan, folder } = job;
  return {
    idea: plan.idea.name,
    options: plan.options,
    track: plan.track.name,
    model: plan.model.name,
    folder,
    protocol: plan.protocol,
    forecast,
  };
}

function totals(planned: readonly PlannedJob[]): { readonly seconds: number; readonly mostSeconds: number } {
  const sum = (of: (forecast: RunForecast) => number): number =>
    planned.reduce((total, { forecast }) => total + of(forecast), 0);
  return { seconds: sum(({ seconds }) => seconds), mostSeconds: sum(({ mostSeconds }) => mostSeconds) };
}
