import { Tensor } from "../../src/autograd/index.js";
import type { DType } from "../../src/tensor/index.js";

/**
 * What NumPy's documentation says of a call: the shape, element type and, where a loop gives them exactly, the elements
 * of the result; `refused` where it raises an error; undefined where the arguments are of a kind it says nothing about.
 * Types follow docs/element-types.md, which is where gradstand differs from NumPy on purpose.
 */
export type Expected =
  | { readonly shape: readonly number[]; readonly dtype: DType; readonly values?: readonly number[] }
  | "refused"
  | undefined;

const order: readonly DType[] = ["bool", "int32", "float32", "float64"];
export const wider = (a: DType, b: DType): DType => order[Math.max(order.indexOf(a), order.indexOf(b))]!;
export const floating = (dtype: DType): DType => (dtype === "float64" ? "float64" : "float32");
export const counting = (dtype: DType): DType => (dtype === "bool" ? "int32" : dtype);
export const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** "Two dimensions are compatible when they are equal, or one of them is 1", from the last one. */
export function broadcast(a: readonly number[], b: readonly number[]): number[] | undefined {
  const out: number[] = [];
  for (let i = 1; i <= Math.max(a.length, b.length); i++) {
    const [m, n] = [a.at(-i) ?? 1, b.at(-i) ?? 1];
    if (i > a.length) out.unshift(n);
    else if (i > b.length) out.unshift(m);
    else if (m === n || n === 1) out.unshift(m);
    else if (m === 1) out.unshift(n);
    else return undefined;
  }
  return out;
}

/** An axis from 0, or undefined for one outside. */
export function axisOf(axis: unknown, rank: number): number | undefined {
  if (typeof axis !== "number" || !Number.isInteger(axis) || axis < -rank || axis >= rank) return undefined;
  return axis < 0 ? axis + rank : axis;
}

/** Axes from 0, all when left out; undefined for one outside or twice. */
export function axesOf(axes: unknown, rank: number): number[] | undefined {
  if (axes === undefined) return Array.from({ length: rank }, (_, i) => i);
  const list = (Array.isArray(axes) ? axes : [axes]).map((axis) => axisOf(axis, rank));
  if (list.includes(undefined) || new Set(list).size < list.length) return undefined;
  return list as number[];
}

/** Every index of a shape, row-major. */
export function* indices(shape: readonly number[]): Generator<number[]> {
  const size = sizeOf(shape);
  for (let at = 0; at < size; at++) {
    const index: number[] = [];
    for (let axis = shape.length - 1, rest = at; axis >= 0; axis--) {
      index.unshift(rest % shape[axis]!);
      rest = Math.floor(rest / shape[axis]!);
    }
    yield index;
  }
}

/** The element at an index. */
export function entry(x: Tensor, index: readonly number[]): number {
  return x.array.data[index.reduce((at, i, axis) => at * x.shape[axis]! + i, 0)]!;
}

/** The element of x that stands at an index of a shape that x broadcasts to. */
export function stretched(x: Tensor, index: readonly number[]): number {
  return entry(
    x,
    x.shape.map((length, axis) => (length === 1 ? 0 : index[index.length - x.rank + axis]!)),
  );
}

/** A result of this shape whose elements are elements of x. */
export function moved(
  x: Tensor,
  shape: readonly number[],
  from: (index: number[]) => number[] | number,
): Expected {
  const values = Array.from(indices(shape), (index) => {
    const place = from(index);
    return typeof place === "number" ? place : entry(x, place);
  });
  return { shape, dtype: x.dtype, values };
}

export const isTensor = (x: unknown): x is Tensor => x instanceof Tensor;
