import type { Plan } from "../../../src/bench/run/plan.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import type { Idea } from "../../../src/ideas/index.js";

/** The preset quick with its first `rates` learning rates only: 2 seeds, `4 × rates` training cells. */
export function smallPlan(idea: string | Idea, rates = 1): Plan {
  const plan = planRun({ idea, preset: "quick" });
  const grid = plan.protocol.grid.slice(0, rates);
  return {
    ...plan,
    protocol: { ...plan.protocol, grid },
    cells: plan.cells.filter(({ spec }) => grid.includes(spec.cfg)),
  };
}
