import type { Plan } from "../../../src/bench/run/plan.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import type { Idea } from "../../../src/ideas/index.js";

/** The preset quick with its first `rates` learning rates only: 2 seeds, `4 × rates` training cells. */
export function smallPlan(idea: string | Idea, rates = 1): Plan {
  return planRun({ idea, preset: "quick", grid: { lr: [0.001, 0.003, 0.006].slice(0, rates) } });
}
