import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { PlanRequest } from "../../../src/bench/run/plan.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan, type RunSettings } from "../../../src/bench/run/run-plan.js";
import { openStore } from "../../../src/bench/store/index.js";
import { temporaryFolder } from "../store/example-cell.js";

const sizes = { trainSize: 8, validationSize: 5, testSize: 4, epochs: 1 };

/** Everything of a run but when, where and how fast it was made, as text: the order of keys counts. */
async function valuesOf(request: Omit<PlanRequest, "idea" | "preset" | "sizes">, settings: RunSettings) {
  const plan = planRun({ idea: "moment-rank2", preset: "standard", tuningSeeds: 2, sizes, ...request });
  const { cells, ...values } = await runPlan(plan, settings);
  return JSON.stringify({
    ...values,
    provenance: 0,
    cells: cells.map((cell) => ({ ...cell, seconds: 0, memory: 0 })),
  });
}

test.each<[string, Omit<PlanRequest, "idea">]>([
  ["standard", { seeds: 6 }],
  ["standard with declared sequential seeds", { sequential: { start: 6, step: 2, most: 8 } }],
  ["standard with a control", { seeds: 6, controls: ["plain-t2"] }],
])(
  "%s: two workers, and a run taken up inline from half of the cells, give the same bytes",
  async (_, request) => {
    const folder = temporaryFolder();
    const whole = await valuesOf(request, { executor: "threads", jobs: 2, store: openStore(folder) });
    const stored = fs.readdirSync(folder).filter((name) => name.endsWith(".json"));
    expect(stored.length).toBeGreaterThan(20);
    stored.filter((_, at) => at % 2 === 0).forEach((name) => fs.rmSync(path.join(folder, name)));
    const takenUp = await valuesOf(request, { executor: "inline", store: openStore(folder) });
    expect(takenUp).toBe(whole);
    expect(fs.readdirSync(folder).filter((name) => name.endsWith(".json"))).toEqual(stored);
  },
);
