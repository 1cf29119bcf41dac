import fc from "fast-check";
import { expect } from "vitest";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import type { DType } from "../../../src/tensor/index.js";
import { shapes, sizeOf, type ShapeOptions } from "../arbitraries.js";

/** Every index of a shape, the last axis fastest. */
export function* positions(shape: readonly number[]): Generator<number[]> {
  if (sizeOf(shape) === 0) return;
  const index = shape.map(() => 0);
  for (;;) {
    yield [...index];
    let axis = shape.length - 1;
    while (axis >= 0 && ++index[axis]! === shape[axis]) index[axis--] = 0;
    if (axis < 0) return;
  }
}

/** The element at an index. */
export function at(x: Tensor, index: readonly number[]): number {
  let offset = 0;
  x.shape.forEach((length, axis) => (offset = offset * length + index[axis]!));
  return x.values()[offset]!;
}

/** A tensor made element by element. */
export function built(
  shape: readonly number[],
  element: (index: number[]) => number,
  dtype: DType = "float64",
): Tensor {
  const values = Float64Array.from([...positions(shape)].map(element));
  return tensor(values, { shape: [...shape] }).cast(dtype);
}

/** The same shape, type and elements exactly. */
export function expectSame(found: Tensor, wanted: Tensor): void {
  expect(found.shape).toEqual(wanted.shape);
  expect(found.dtype).toBe(wanted.dtype);
  expect([...found.values()]).toEqual([...wanted.values()]);
}

/** A tensor of small whole numbers, on which all arithmetic is exact in every type. */
export function wholes(shape: readonly number[], dtype: DType = "float64"): fc.Arbitrary<Tensor> {
  const length = sizeOf(shape);
  return fc
    .array(fc.integer({ min: -4, max: 4 }), { minLength: length, maxLength: length })
    .map((list) => tensor(Float64Array.from(list), { shape: [...shape] }).cast(dtype));
}

/** A tensor of small whole numbers of a random shape. */
export function anyWholes(options: ShapeOptions = {}, dtype: DType = "float64"): fc.Arbitrary<Tensor> {
  return shapes(options).chain((shape) => wholes(shape, dtype));
}
