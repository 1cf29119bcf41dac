import { randomUniform, type Tensor } from "../../../src/autograd/index.js";
import { generator } from "../../../src/random/index.js";

/** Random hidden states of some steps, 20 series of 64 units each. */
export function someStates(steps: number): Tensor[] {
  const rng = generator(17);
  return Array.from({ length: steps }, () => randomUniform(rng, [20, 64], { low: -1, high: 1 }));
}
