import type { Generator } from "../../../random/index.js";
import type { MathCheck } from "../../idea.js";
import { attentionChecks } from "./attention-checks.js";
import { kernelChecks } from "./kernel-checks.js";
import type { Settings } from "../settings.js";

/**
 * Every identity of the layer on random inputs, before anything is trained: those of the elimination
 * ({@link kernelChecks}) and those of the attention made of it ({@link attentionChecks}). The trace identity is
 * checked for the residual-proportional law whatever law the settings name: controls have the same mathematics.
 */
export function residualPivotedChecks(settings: Settings, rng: Generator): readonly MathCheck[] {
  return [
    ...kernelChecks(settings.rank, rng.stream("kernel")),
    ...attentionChecks(settings, rng.stream("attention")),
  ];
}
