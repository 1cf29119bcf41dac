import { tensor, type Tensor } from "../../../src/autograd/index.js";

export type Function = (...xs: Tensor[]) => Tensor;

/** The inputs with one of them moved. */
export function moved(inputs: readonly Tensor[], at: number, by: (values: Float64Array) => void): Tensor[] {
  return inputs.map((x, i) => {
    if (i !== at) return x.detach();
    const values = x.values() as Float64Array;
    by(values);
    return tensor(values, { shape: x.shape });
  });
}

/** (f(−2h) − 8f(−h) + 8f(h) − f(2h))/12h of a vector-valued function of one number. */
export function fivePoint(f: (t: number) => ArrayLike<number>, h: number): Float64Array {
  const [a, b, c, d] = [f(-2 * h), f(-h), f(h), f(2 * h)] as const;
  return Float64Array.from(
    { length: a.length },
    (_, i) => (a[i]! - 8 * b[i]! + 8 * c[i]! - d[i]!) / (12 * h),
  );
}

/** ∂f/∂x of one element of one input, for every element of the result. */
export function column(
  f: Function,
  inputs: readonly Tensor[],
  input: number,
  element: number,
  step: number,
): Float64Array {
  return fivePoint(
    (t) => f(...moved(inputs, input, (values) => (values[element] = values[element]! + t))).values(),
    step,
  );
}

/** The derivative of f along tangents, by differences. */
export function alongTangents(
  f: Function,
  inputs: readonly Tensor[],
  tangents: readonly Tensor[],
  step: number,
): Float64Array {
  return fivePoint(
    (t) => f(...inputs.map((x, i) => x.detach().add(tangents[i]!.detach().mul(t)))).values(),
    step,
  );
}
