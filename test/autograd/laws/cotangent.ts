import { generator } from "../../../src/random/index.js";
import { randomNormal, type Tensor } from "../../../src/autograd/index.js";

/** A cotangent (or tangent) whose elements all differ, in both signs: ones hide softmax and layer norm. */
export function cotangentLike(x: Tensor, name = "cotangent"): Tensor {
  return randomNormal(generator(5).stream(name), x.shape, { dtype: "float64" }).cast(x.dtype);
}

/** The largest magnitude, 0 for nothing. */
export function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const magnitude = Math.abs(values[i]!);
    if (!(magnitude <= most)) most = magnitude;
  }
  return most;
}

/** Σ aᵢ·bᵢ */
export function inner(a: Tensor, b: Tensor): number {
  const x = a.values();
  const y = b.values();
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i]! * y[i]!;
  return total;
}
