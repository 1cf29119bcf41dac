import { randomNormal, tensor, type Tensor } from "../autograd/index.js";
import { generator } from "../random/index.js";

/** A cotangent (or tangent) whose elements all differ, in both signs: ones hide softmax and layer norm. */
export function cotangentLike(x: Tensor, name = "cotangent"): Tensor {
  return randomNormal(generator(5).stream(name), x.shape, { dtype: "float64" }).cast(x.dtype);
}

/** Cotangents with one number and zeros otherwise, one for each element of a result of at most 12; none for a larger one. */
export function unitCotangents(value: Tensor): Tensor[] {
  if (value.size > 12) return [];
  return Array.from({ length: value.size }, (_, at) => {
    const unit = new Float64Array(value.size);
    unit[at] = 1 - at / 16;
    return tensor(unit, { shape: value.shape }).cast(value.dtype);
  });
}

/** The largest magnitude, 0 for nothing; NaN when one is among them. */
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
