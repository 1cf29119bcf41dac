import { noGrad, tensor, type Tensor } from "../../../autograd/index.js";
import { attention } from "../../../nn/index.js";
import type { Generator } from "../../../random/index.js";
import { residualPivotedAttention } from "../attention.js";
import type { CausalSettings } from "../causal/schedule.js";
import { meanOfValuesSoFar } from "../controls/mean-of-values.js";
import { pivotLaws, type PivotLaw, type Settings } from "../settings.js";
import type { Problem } from "./problem.js";
import { relativeError, type LawQuality, type Quality } from "./quality.js";

/** `quality` of a problem with the outputs, floors and clamps of the causal form beside exact causal attention. */
export function causalQuality(
  quality: Quality,
  { size: { queries, width, channels }, q, k, v }: Problem,
  settings: Settings,
  causal: CausalSettings,
  rng: Generator,
  repeats: number,
): Quality {
  const rows = (values: Problem["q"], columns: number): Tensor =>
    tensor(Float64Array.from(values), { shape: [1, 1, queries, columns] });
  const inputs = [rows(q, width), rows(k, width), rows(v, channels)] as const;
  return noGrad(() => {
    const exact = attention(...inputs, { causal: true }).values();
    const lawQuality = (law: PivotLaw): LawQuality => {
      const runs = Array.from({ length: law === "greedy" ? 1 : repeats }, () =>
        residualPivotedAttention(...inputs, { ...settings, ...causal, pivots: law, rng }),
      );
      const mean = (of: (run: (typeof runs)[number]) => number): number =>
        runs.reduce((sum, run) => sum + of(run), 0) / runs.length;
      return {
        traceLeft: quality.laws[law].traceLeft,
        outputError: mean(({ output }) => relativeError(output.values(), exact)),
        floored: mean(({ statistics }) => statistics.floored / Math.max(statistics.normalisers, 1)),
        clamped: mean(({ statistics }) => statistics.clamped / Math.max(statistics.outputs, 1)),
      };
    };
    return {
      optimalTrace: quality.optimalTrace,
      meanOfValuesError: relativeError(meanOfValuesSoFar(inputs[2]).values(), exact),
      laws: Object.fromEntries(pivotLaws.map((law) => [law, lawQuality(law)])) as Record<
        PivotLaw,
        LawQuality
      >,
    };
  });
}
