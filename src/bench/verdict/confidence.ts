import type { Cap } from "./caps.js";

/** What a run's confidence is computed from. */
export interface ConfidenceEvidence {
  readonly tracks: number;
  readonly seeds: number;
  /** Whether some claim about the mechanism was measured on the trained model. */
  readonly measuredOnTrainedModel: boolean;
  readonly recomputes: boolean;
  readonly caps: readonly Cap[];
}

/** A confidence from 0 to 10 and what was taken off. */
export interface Confidence {
  readonly value: number;
  readonly reasons: readonly string[];
}

/**
 * 10 less: 1 for one track only, 2 for fewer than 8 seeds, 2 for a mechanism that was not measured on the
 * trained model, 2 for a figure that does not recompute, and 1 for each cap of the strict profile; never
 * below 0.
 */
export function confidenceOf(evidence: ConfidenceEvidence): Confidence {
  const deductions: [number, string][] = [];
  if (evidence.tracks < 2) deductions.push([1, "one track only"]);
  if (evidence.seeds < 8) deductions.push([2, `${evidence.seeds} seeds, fewer than 8`]);
  if (!evidence.measuredOnTrainedModel) {
    deductions.push([2, "the mechanism was not measured on the trained model"]);
  }
  if (!evidence.recomputes) deductions.push([2, "a figure does not recompute"]);
  for (const cap of evidence.caps) deductions.push([1, cap.text]);
  const taken = deductions.reduce((sum, [points]) => sum + points, 0);
  return {
    value: Math.max(0, 10 - taken),
    reasons: deductions.map(([points, why]) => `-${points}: ${why}`),
  };
}
