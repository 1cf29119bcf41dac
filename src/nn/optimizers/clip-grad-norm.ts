import { listed } from "./optimizer.js";
import type { Tensor } from "../../autograd/index.js";
import { checkWithin } from "../check-options.js";

/** √Σx² over all elements of all tensors, in float64, without overflow; NaN or ∞ when an element is. */
function totalNorm(gradients: readonly Tensor[]): number {
  let largest = 0;
  for (const { array } of gradients) {
    for (const x of array.data) largest = Math.abs(x) > largest || Number.isNaN(x) ? Math.abs(x) : largest;
    if (Number.isNaN(largest)) return NaN;
  }
  if (largest === 0 || largest === Infinity) return largest;
  let sum = 0;
  for (const { array } of gradients)
    for (const x of array.data) {
      const share = x / largest;
      sum += share * share;
    }
  return largest * Math.sqrt(sum);
}

/**
 * Scales the gradients of all parameters together so that their joint norm is at most maxNorm: g ← g·maxNorm/(norm + 1e-6) where
 * that factor is below 1, as PyTorch. Returns the norm before. Check that it is finite: with an infinite norm the factor is 0, which
 * makes finite gradients 0 and infinite ones NaN; with NaN every gradient becomes NaN. PyTorch does the same.
 */
export function clipGradNorm(parameters: Iterable<Tensor>, maxNorm: number): number {
  checkWithin("clipGradNorm", "maxNorm", maxNorm, 0, Infinity);
  const withGradient = listed("clipGradNorm", parameters).filter((parameter) => parameter.grad !== undefined);
  const norm = totalNorm(withGradient.map((parameter) => parameter.grad!));
  const factor = maxNorm / (norm + 1e-6);
  if (!(factor >= 1)) for (const parameter of withGradient) parameter.grad = parameter.grad!.mul(factor);
  return norm;
}
