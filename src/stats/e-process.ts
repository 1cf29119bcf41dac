import { checkSample, type Sample } from "./sample.js";

const RATES = [-2, -1, -0.5, -0.25, 0.25, 0.5, 1, 2];

/**
 * Evidence against "each difference is as likely to have the other sign" that may be looked at after every pair: the
 * average over λ ∈ ±{¼, ½, 1, 2} of Πᵢ exp(λzᵢ)/cosh(λzᵢ), zᵢ = dᵢ/rms(d₁ … dᵢ). Given its size and the past, each
 * factor has mean 1 under the hypothesis, so that stopping at the first E ≥ 1/alpha is wrong with probability at most
 * alpha, whenever one stops (Ville's inequality). Element i is E after i + 1 pairs; a zero difference leaves it as it is.
 *
 * Source: Ramdas, Grünwald, Vovk, Shafer, "Game-theoretic statistics and safe anytime-valid inference", Statistical
 * Science 38 (2023); the bet is the symmetric one of de la Peña (1999).
 *
 * @throws E_VALUE for a difference that is not finite
 */
export function signEProcess(diffs: Sample): Float64Array {
  checkSample(diffs, "the e-process", 0);
  const logs = new Float64Array(RATES.length);
  const evidence = new Float64Array(diffs.length);
  let norm = 0;
  for (let i = 0; i < diffs.length; i++) {
    norm = Math.hypot(norm, diffs[i]);
    const z = norm === 0 ? 0 : (diffs[i] / norm) * Math.sqrt(i + 1);
    let sum = 0;
    for (let k = 0; k < RATES.length; k++) {
      logs[k] += RATES[k] * z - logCosh(RATES[k] * z);
      sum += Math.exp(logs[k]);
    }
    evidence[i] = sum / RATES.length;
  }
  return evidence;
}

function logCosh(x: number): number {
  const size = Math.abs(x);
  return size + Math.log1p(Math.exp(-2 * size)) - Math.LN2;
}
