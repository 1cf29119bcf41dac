import path from "node:path";
import { finalModels, type Arm, type CellStore, type Config } from "../bench/index.js";
import { prepareFolder, writeWhole } from "./output-folder.js";
import type { FinishedRun } from "./render/run-ending.js";
import type { Terminal } from "./terminal.js";

/** Writes the final models of a finished run into `models` beside its report. Throws `E_OUTPUT` and `E_STORE`. */
export function saveModels(
  { plan, report }: FinishedRun,
  folder: string,
  store: CellStore,
  { err }: Terminal,
): void {
  const { baseline, idea, controls, protocol } = report.bench_report;
  // An evaluated control has no models of its own: it is scored on the idea's.
  const trained = (controls?.arms ?? []).filter(({ kind }) => kind === "trained");
  const best = Object.fromEntries([
    ["baseline", baseline.best_cfg],
    ["idea", idea.best_cfg],
    ...trained.map(({ name, best_cfg }) => [`control:${name}`, best_cfg]),
  ]) as Readonly<Record<Arm, Config>>;
  const place = path.join(folder, "models");
  let count = 0;
  for (const { name, bytes } of finalModels(plan, best, protocol.seeds.map(Number), store)) {
    prepareFolder(place, name);
    writeWhole(path.join(place, name), bytes);
    count += 1;
  }
  err(`${plan.idea.name}: wrote ${count} models to ${place}`);
}
