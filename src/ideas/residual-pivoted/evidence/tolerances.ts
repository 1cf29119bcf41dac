/** The family-wise error of the sampled checks: all of them together are wrong at most once in a hundred times. */
export const familyAlpha = 0.01;

/** Pivots drawn for each sampled mean. */
export const samplingDraws = 20_000;

/** The trained models that may share {@link familyAlpha}: each signature takes 1/64 of it, so up to 64 seeds are one family. */
export const familyModels = 64;

/** The error of the trace identity in exact expectation, as a fraction of tr K. */
export function traceTolerance(single: boolean): number {
  return single ? 1e-6 : 1e-12;
}
