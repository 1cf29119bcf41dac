import { noGrad, tensor, type Tensor } from "../autograd/index.js";
import type { TensorFunction } from "./subject.js";

/** A function of one number to an array. */
export type Path = (t: number) => ArrayLike<number>;

/** The inputs with one element of one of them moved. */
function moved(inputs: readonly Tensor[], input: number, element: number, by: number): Tensor[] {
  return inputs.map((x, i) => {
    if (i !== input) return x;
    const values = x.values();
    values[element] = values[element]! + by;
    return tensor(values, { shape: x.shape });
  });
}

/** (f(−2h) − 8f(−h) + 8f(h) − f(2h))/12h of a vector-valued function of one number: the derivative at 0 up to O(h⁴). */
export function fivePoint(f: Path, h: number): Float64Array {
  return slopesAt(f, h).central;
}

/** Derivatives at 0 of a vector-valued function of one number. */
export interface Slopes {
  /** The five-point formula of {@link fivePoint}, up to O(h⁴). */
  readonly central: Float64Array;
  /** (−3f(0) + 4f(h) − f(2h))/2h, from the right, up to O(h²). */
  readonly right: Float64Array;
  /** (3f(0) − 4f(−h) + f(−2h))/2h, from the left; from both sides the error begins alike, so that they differ by O(h³). */
  readonly left: Float64Array;
}

/** The derivative at 0 from both sides and from the middle, from five values. */
export function slopesAt(f: Path, h: number, middle: ArrayLike<number> = f(0)): Slopes {
  const [a, b, c, d] = [f(-2 * h), f(-h), f(h), f(2 * h)] as const;
  const each = (slope: (i: number) => number): Float64Array =>
    Float64Array.from({ length: a.length }, (_, i) => slope(i));
  return {
    central: each((i) => (a[i]! - 8 * b[i]! + 8 * c[i]! - d[i]!) / (12 * h)),
    right: each((i) => (-3 * middle[i]! + 4 * c[i]! - d[i]!) / (2 * h)),
    left: each((i) => (3 * middle[i]! - 4 * b[i]! + a[i]!) / (2 * h)),
  };
}

/** f as a function of one number that is added to one element of one input. */
export function alongElement(
  f: TensorFunction,
  inputs: readonly Tensor[],
  input: number,
  element: number,
): Path {
  return (t) => noGrad(() => f(...moved(inputs, input, element, t))).values();
}

/** f as a function of one number, by which it goes along the tangents. */
export function alongTangents(
  f: TensorFunction,
  inputs: readonly Tensor[],
  tangents: readonly Tensor[],
): Path {
  return (t) => noGrad(() => f(...inputs.map((x, i) => x.add(tangents[i]!.mul(t))))).values();
}
