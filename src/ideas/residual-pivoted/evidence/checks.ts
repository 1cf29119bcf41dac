import type { Generator } from "../../../random/index.js";
import type { MathCheck } from "../../idea.js";
import { attentionChecks } from "./attention-checks.js";
import { kernelChecks } from "./kernel-checks.js";
import { layerParts, type LayerParts } from "./layer-parts.js";
import type { Settings } from "../settings.js";

/**
 * Every identity of the layer on random inputs, before anything is trained: those of the elimination
 * ({@link kernelChecks}) and those of the attention made of it ({@link attentionChecks}). The trace identity is
 * checked for the residual-proportional law whatever law the settings name: controls have the same mathematics. `parts`
 * is what is checked, the layer itself unless something else is given.
 */
export function residualPivotedChecks(
  settings: Settings,
  rng: Generator,
  parts: LayerParts = layerParts,
): readonly MathCheck[] {
  return [
    ...kernelChecks(settings.rank, rng.stream("kernel"), parts),
    ...attentionChecks(settings, rng.stream("attention"), parts),
  ];
}
