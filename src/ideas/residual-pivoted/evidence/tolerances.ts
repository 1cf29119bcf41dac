import { dustTolerance } from "../settings.js";

/**
 * The family-wise error of everything that is sampled: checks and claims together are wrong at most once in a hundred
 * times. The checks before training have one half of it, and the claims about all trained models the other.
 */
export const familyAlpha = 0.01;

/** The share of {@link familyAlpha} that the sampled checks before training have together. */
export const checksAlpha = familyAlpha / 2;

/** The share of {@link familyAlpha} that the sampled claims about all trained models have together. */
export const claimsAlpha = familyAlpha / 2;

/** Pivots drawn for each sampled mean. */
export const samplingDraws = 20_000;

/** The trained models that may share {@link claimsAlpha}: each signature takes 1/64 of it, so up to 64 seeds are one family. */
export const familyModels = 64;

/** The error of the trace identity in exact expectation, as a fraction of tr K. */
export function traceTolerance(single: boolean): number {
  return single ? 1e-6 : 1e-12;
}

/**
 * What may remain of tr K, as a fraction of it, when an elimination of `ranks` pivots is no longer evidence: rounding
 * dust c·u, and at least the tolerance of the identity. Both sides of the identity, and of its control, lie between 0
 * and what remains, so below its tolerance neither could fail.
 */
export function negligibleTrace(ranks: number, single: boolean): number {
  return Math.max(dustTolerance(ranks, single), traceTolerance(single));
}
