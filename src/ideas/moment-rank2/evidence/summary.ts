import type { Json, MathCheck, Signature } from "../../idea.js";
import type { MomentFigures } from "./measure.js";
import { momentTolerance } from "./tolerances.js";

/**
 * The signatures of all seeds as one. Residuals, drift of the control and ranks are the worst over the seeds, norms and
 * shares their means; every claim must hold and every control be refuted on every model, since none of them samples.
 * `confirmed` is that and that every check passed, wherever it stands. Without a trained model the figures are null and
 * nothing is confirmed.
 */
export function summarizeMomentRank2(
  checks: readonly MathCheck[],
  signatures: readonly { readonly seed: number; readonly signature: Signature }[],
): {
  readonly mechanism: { readonly [key: string]: Json };
  readonly mathematics: { readonly [key: string]: Json };
  readonly confirmed: boolean;
} {
  const mathResidual = checks.find(({ name }) => name === "max_moment_residual")?.observed ?? null;
  const passed = checks.length > 0 && checks.every((check) => check.passed);
  const held = signatures.length > 0 && signatures.every(({ signature }) => signature.confirmed);
  const confirmed = passed && held;
  const figures = signatures.map(({ signature }) => signature.figures as unknown as MomentFigures);
  const mechanism = {
    math_check_max_moment_residual: mathResidual,
    trained_model: trainedModel(figures, confirmed),
    predicted: "the four moments of the hidden state are kept by the compression",
    observed: "largest change of a moment over all hidden states of the trained models, on the test series",
    confirmed,
  };
  return { mechanism, mathematics: { max_moment_residual: mathResidual, passed }, confirmed };
}

function trainedModel(
  figures: readonly MomentFigures[],
  confirmed: boolean,
): { readonly [key: string]: Json } {
  const target = "hidden moments";
  if (figures.length === 0) {
    return { target, predicted_residual: 0, moment_residual: null, observed_residual: null, confirmed };
  }
  const worst = (name: keyof MomentFigures): number => Math.max(...figures.map((each) => each[name]));
  const mean = (name: keyof MomentFigures): number =>
    figures.reduce((sum, each) => sum + each[name], 0) / figures.length;
  const residual = worst("moment_residual");
  return {
    raw_norm: mean("raw_norm"),
    compressed_relative_error: mean("compressed_relative_error"),
    moment_residual: residual,
    target,
    predicted_residual: 0,
    observed_residual: residual,
    residual_tolerance: momentTolerance,
    confirmed,
    state_norm: mean("state_norm"),
    plain_relative_error: mean("plain_relative_error"),
    plain_moment_drift: Math.min(...figures.map((each) => each.plain_moment_drift)),
    moment_share: mean("moment_share"),
    true_rank: worst("true_rank"),
    stored_numbers: worst("stored_numbers"),
    state_numbers: worst("state_numbers"),
    clip_rate: mean("clip_rate"),
  };
}
