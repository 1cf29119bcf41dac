import { gradients, Tensor } from "../../../src/autograd/index.js";
import {
  checkSecondOrder,
  cotangentLike,
  type LawResult,
  type TensorFunction,
} from "../../../src/testing/index.js";

/**
 * The gradient of ⟨c, f⟩ + ½⟨d, f²⟩ as a function of the first input: its second derivatives are third ones of f. So the
 * derivative of every rule can be differentiated again. Symmetry holds to ten times what second derivatives keep: one more
 * differentiation divides once more, by spreads and magnitudes down to 0.1, and what it divides cancels.
 */
export function checkThirdOrder(f: TensorFunction, inputs: readonly Tensor[]): LawResult {
  const slope: TensorFunction = (...given) => {
    const xs = given.map((x) => (x.requiresGrad ? x : new Tensor(x.array, true)));
    const y = f(...xs);
    const [c, d] = [cotangentLike(y, "c"), cotangentLike(y, "d")];
    const cotangents = [y.mul(d).add(c)];
    return gradients(y, [xs[0]!], { cotangents, createGraph: true })[0]!;
  };
  return checkSecondOrder(slope, inputs, { symmetryTolerance: 1e-11 });
}
