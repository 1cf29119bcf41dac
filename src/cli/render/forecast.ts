import { shown } from "../../bench/report/index.js";
import type { RunForecast } from "../../bench/index.js";
import type { Job } from "../run-jobs.js";
import type { SettingSource } from "../settings/index.js";
import type { Terminal } from "../terminal.js";

/** A job with what it will cost. */
export interface PlannedJob {
  readonly job: Job;
  readonly forecast: RunForecast;
}

/** Prints what a command would run: settings, cells, cost, and the smallest effect that can be found. */
export function printForecast(
  planned: readonly PlannedJob[],
  whole: {
    readonly sources: readonly SettingSource[];
    readonly store: string;
    readonly seconds: number;
    readonly mostSeconds: number;
  },
  terminal: Terminal,
): void {
  const { out, colour } = terminal;
  for (const one of planned) printJob(one, terminal);
  out(`\n${colour.bold("Settings")}`);
  for (const { name, value, from } of whole.sources)
    out(`  ${name.padEnd(12)} ${value} ${colour.dim(`(${from})`)}`);
  const preset = planned[0]!.job.plan.preset.name;
  out(colour.dim(`  everything else from the preset ${preset}; cells in ${whole.store}`));
  if (planned.length > 1) {
    const cells = planned.reduce((sum, { forecast }) => sum + forecast.cells - forecast.stored, 0);
    out(`\n${colour.bold("Together")}   ${cells} cells to compute, ${timeRange(whole)}`);
  }
}

function printJob({ job, forecast }: PlannedJob, { out, colour }: Terminal): void {
  const { plan, folder } = job;
  const { protocol } = plan;
  const { seeds, sweepSeeds, trainSize, validationSize, testSize, epochs, selection, sequential } = protocol;
  out(`\n${colour.bold.underline(plan.idea.title)} ${colour.dim(`(${plan.idea.name})`)}`);
  out(
    `  ${plan.track.name} with ${plan.model.name}, preset ${protocol.preset}: ${trainSize} train, ` +
      `${validationSize > 0 ? `${validationSize} validation, ` : ""}${testSize} test, ${epochs} ${epochs === 1 ? "epoch" : "epochs"}`,
  );
  const tuned =
    selection === "validation"
      ? `${sweepSeeds.idea.length} tuning seeds apart from them, chosen on the validation part`
      : "which also choose the configuration, on the test part";
  const added = sequential
    ? `${sequential.start} paired, then ${sequential.step} at a time up to ${sequential.most} until the evidence suffices`
    : `${seeds.length} paired`;
  out(`  seeds     ${added}, ${tuned}`);
  const spanned = Object.entries(protocol.gridOptions).map(
    ([name, values]) => `, ${name} ${values.join(" ")}`,
  );
  out(
    `  grid      lr ${protocol.rates.join(" ")}${spanned.join("")}: ${plan.sweep.baseline.length} configurations for the baseline, ` +
      `${plan.sweep.changed.length} for the idea${extended(forecast, protocol.mostExtensions)}`,
  );
  out(`  cells     ${forecast.cells}, ${forecast.stored} of them stored`);
  const width = Math.max(...forecast.shares.map(({ phase, arm }) => `${phase} ${arm}`.length));
  for (const { phase, arm, cells, stored, secondsEach, from } of forecast.shares) {
    out(
      `            ${`${phase} ${arm}`.padEnd(width)}  ${String(cells).padStart(4)}, ${stored} stored, ` +
        colour.dim(`${secondsText(secondsEach)} each (${from})`),
    );
  }
  out(
    `  cost      ${timeRange(forecast)}; ${forecast.workers} ${forecast.workers === 1 ? "worker" : "workers"}`,
  );
  out(`  finds     ${effectText(forecast, plan.track.metric)}`);
  out(colour.dim(`  report    ${folder}`));
}

function extended({ mostExtensionCells }: RunForecast, mostExtensions: number): string {
  if (mostExtensions === 0) return "";
  return mostExtensionCells === 0
    ? "; tuned, from stored cells"
    : `; a best rate at its end extends it, ${mostExtensions} times at most, by up to ${mostExtensionCells} cells`;
}

function effectText({ effect }: RunForecast, metric: string): string {
  const { pairs, alpha, power, smallestP, dz, inUnits } = effect;
  const least = `smallest attainable p ${shown(smallestP)} (α ${alpha})`;
  if (dz === undefined) return `nothing: a single pair has no spread; ${least}`;
  const found = `a difference of ${shown(dz)} standard deviations of the paired differences (dz), ${100 * power} times in 100`;
  const units = inUnits
    ? `, which is ${metric} ${shown(inUnits.difference)} or ${shown(inUnits.percent)} % of the baseline by ${inUnits.storedPairs} stored ` +
      `pairs scored on the ${inUnits.scoredOn} part`
    : "; no stored pairs tell yet how much that is in the metric";
  return `${found}${units}; ${pairs} pairs, ${least}`;
}

function timeRange({
  seconds,
  mostSeconds,
}: {
  readonly seconds: number;
  readonly mostSeconds: number;
}): string {
  if (mostSeconds === 0) return "nothing, every cell is stored";
  const [least, most] = [secondsText(seconds), secondsText(mostSeconds)];
  return least === most ? `about ${least}` : `about ${least}, with every extension ${most}`;
}

/** A time for reading: `0.4 s`, `35 s`, `12 min`, `3.5 h`. */
function secondsText(seconds: number): string {
  if (seconds < 10) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Number((seconds / 3600).toPrecision(2))} h`;
}
