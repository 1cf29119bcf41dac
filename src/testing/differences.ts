import { noGrad, tensor, type Tensor } from "../autograd/index.js";
import type { TensorFunction } from "./subject.js";

/** The inputs with one of them moved. */
function moved(inputs: readonly Tensor[], at: number, by: (values: Float64Array) => void): Tensor[] {
  return inputs.map((x, i) => {
    if (i !== at) return x.detach();
    const values = x.values() as Float64Array;
    by(values);
    return tensor(values, { shape: x.shape });
  });
}

/** (f(−2h) − 8f(−h) + 8f(h) − f(2h))/12h of a vector-valued function of one number: the derivative at 0 up to O(h⁴). */
export function fivePoint(f: (t: number) => ArrayLike<number>, h: number): Float64Array {
  const [a, b, c, d] = [f(-2 * h), f(-h), f(h), f(2 * h)] as const;
  return Float64Array.from(
    { length: a.length },
    (_, i) => (a[i]! - 8 * b[i]! + 8 * c[i]! - d[i]!) / (12 * h),
  );
}

/** f as a function of one number that is added to one element of one input. */
export function alongElement(
  f: TensorFunction,
  inputs: readonly Tensor[],
  input: number,
  element: number,
): (t: number) => ArrayLike<number> {
  return (t) =>
    noGrad(() => f(...moved(inputs, input, (values) => (values[element] = values[element]! + t)))).values();
}

/** The derivative of f along tangents, by differences. */
export function alongTangents(
  f: TensorFunction,
  inputs: readonly Tensor[],
  tangents: readonly Tensor[],
  step: number,
): Float64Array {
  return fivePoint(
    (t) => noGrad(() => f(...inputs.map((x, i) => x.detach().add(tangents[i]!.detach().mul(t))))).values(),
    step,
  );
}
