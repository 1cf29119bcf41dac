import { evidencePath, type EvidencePath, type SequentialPlan } from "../../sequential/index.js";
import type { Statistics } from "../document-v2.js";
import { reportP } from "./pair-figures.js";
import { statisticsOf } from "./statistics.js";

/** The costly figures, each computed once for the same values. */
export interface Recomputation {
  reportP(diffs: readonly number[]): number;
  statistics(...arms: Parameters<typeof statisticsOf>): Statistics;
  evidence(diffs: readonly number[], plan: SequentialPlan, alpha: number): EvidencePath;
}

/** A memory for the costly figures; it lives as long as one verification or one report being built. */
export function recomputation(): Recomputation {
  const pValues = new Map<string, number>();
  const statistics = new Map<string, Statistics>();
  const evidence = new Map<string, EvidencePath>();
  return {
    reportP: (diffs) => remembered(pValues, diffs.join(), () => reportP(diffs)),
    statistics: (...arms) => remembered(statistics, arms.join("|"), () => statisticsOf(...arms)),
    evidence: (diffs, plan, alpha) =>
      remembered(evidence, [diffs.join(), plan.start, plan.step, plan.most, alpha].join("|"), () =>
        evidencePath(diffs, plan, alpha),
      ),
  };
}

function remembered<Value>(known: Map<string, Value>, key: string, compute: () => Value): Value {
  const value = known.get(key) ?? compute();
  known.set(key, value);
  return value;
}
