import { tensor, type Tensor } from "../../src/autograd/index.js";
import { at, built, positions } from "../autograd/values/naive.js";
import type { Naive } from "./sample.js";

/** Operations as plain loops over indices, in float64. What they share with the library is only how a tensor is read and made. */

/** The same function of every element. */
export const eachElement =
  (f: (x: number) => number): Naive =>
  (x) =>
    built(x!.shape, (index) => f(at(x!, index)));

/** The shape of two that broadcast, aligned at the last axis. */
export function broadcastOf(...shapes: readonly (readonly number[])[]): number[] {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) => {
    const sizes = shapes.map((shape) => shape[axis - rank + shape.length] ?? 1);
    return sizes.find((size) => size !== 1) ?? 1;
  });
}

/** The element of x that stands at an index of a shape which x broadcasts to. */
export function broadcastAt(x: Tensor, index: readonly number[]): number {
  const own = index.slice(index.length - x.rank);
  return at(
    x,
    own.map((i, axis) => (x.shape[axis] === 1 ? 0 : i)),
  );
}

/** The same function of every pair of elements, with broadcasting. */
export const eachPair =
  (f: (a: number, b: number) => number): Naive =>
  (a, b) =>
    built(broadcastOf(a!.shape, b!.shape), (index) => f(broadcastAt(a!, index), broadcastAt(b!, index)));

/** A loop whose results are truth values or indices. */
export const givesType =
  (dtype: "bool" | "int32", f: Naive): Naive =>
  (...xs) => {
    const found = f(...xs);
    const values = [...found.values()];
    return tensor(dtype === "bool" ? Uint8Array.from(values) : Int32Array.from(values), {
      shape: found.shape,
    }).cast(dtype);
  };

const fromStart = (axis: number, rank: number): number => (axis < 0 ? axis + rank : axis);

/** A function of the list of elements along the axes (all when left out), in row-major order. */
export const overAxes =
  (f: (list: number[]) => number, axes: readonly number[] | undefined, keepDims = false): Naive =>
  (x) => {
    const { shape, rank } = x!;
    const gone = new Set(axes ? axes.map((axis) => fromStart(axis, rank)) : shape.keys());
    const inside = shape.map((size, axis) => (gone.has(axis) ? size : 1));
    const outside = shape.map((size, axis) => (gone.has(axis) ? 1 : size));
    const list = (kept: readonly number[]): number[] =>
      [...positions(inside)].map((within) =>
        at(
          x!,
          within.map((i, axis) => (gone.has(axis) ? i : kept[axis]!)),
        ),
      );
    const kept = built(outside, (index) => f(list(index)));
    return keepDims
      ? kept
      : reshaped(
          kept,
          outside.filter((_, axis) => !gone.has(axis)),
        );
  };

/** The list of elements along one axis to a list of the same length. */
export const alongAxis =
  (f: (list: number[]) => number[], axis: number): Naive =>
  (x) => {
    const along = fromStart(axis, x!.rank);
    return built(x!.shape, (index) => {
      const list = Array.from({ length: x!.shape[along]! }, (_, i) =>
        at(
          x!,
          index.map((j, k) => (k === along ? i : j)),
        ),
      );
      return f(list)[index[along]!]!;
    });
  };

/** The same elements in the same order in another shape. */
export function reshaped(x: Tensor, shape: readonly number[]): Tensor {
  return tensor(x.values(), { shape });
}

/** Element i of the result is the element of x at `from(i)`; where that is undefined it is `fill`. */
export const moved =
  (
    shape: readonly number[],
    from: (index: readonly number[]) => readonly number[] | undefined,
    fill = 0,
  ): Naive =>
  (x) =>
    built(shape, (index) => {
      const source = from(index);
      return source ? at(x!, source) : fill;
    });

/** Element i of x is added at `to(i)` of an array of zeros. */
export const added =
  (shape: readonly number[], to: (index: readonly number[]) => readonly number[]): Naive =>
  (x) => {
    const sums = new Map<string, number>();
    for (const index of positions(x!.shape)) {
      const key = to(index).join();
      sums.set(key, (sums.get(key) ?? 0) + at(x!, index));
    }
    return built(shape, (index) => sums.get(index.join()) ?? 0);
  };

/** The sum over every letter that the output does not have, by its definition. */
export const einsumLoop =
  (inputs: readonly string[], output: string): Naive =>
  (...operands) => {
    const sizes = new Map<string, number>();
    inputs.forEach((letters, i) =>
      [...letters].forEach((letter, axis) => sizes.set(letter, operands[i]!.shape[axis]!)),
    );
    const all = [...sizes.keys()];
    const sums = new Map<string, number>();
    for (const index of positions(all.map((letter) => sizes.get(letter)!))) {
      const of = (letter: string): number => index[all.indexOf(letter)]!;
      const product = operands.reduce((p, x, i) => p * at(x, [...inputs[i]!].map(of)), 1);
      const key = [...output].map(of).join();
      sums.set(key, (sums.get(key) ?? 0) + product);
    }
    return built(
      [...output].map((letter) => sizes.get(letter)!),
      (index) => sums.get(index.join()) ?? 0,
    );
  };
