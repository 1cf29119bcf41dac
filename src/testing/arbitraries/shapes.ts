import fc from "fast-check";
import { type DType } from "../../tensor/index.js";
import { broadcastable, type SizeOptions } from "./tensors.js";

/** Shapes of few elements: `minRank` (0) to `maxRank` (3) axes of `minSize` (0) to `maxSize` (3). */
export function shapes(options: SizeOptions = {}): fc.Arbitrary<number[]> {
  const { minRank = 0, maxRank = 3, minSize = 0, maxSize = 3 } = options;
  return fc.array(fc.integer({ min: minSize, max: maxSize }), { minLength: minRank, maxLength: maxRank });
}

/** Two shapes that broadcast to each other; sizes as for {@link shapes}. */
export function broadcastShapePairs(options: SizeOptions = {}): fc.Arbitrary<[number[], number[]]> {
  return broadcastable({ minSize: 0, maxSize: 3, ...options, dtype: "bool", elements: fc.constant(0) }).map(
    ([a, b]) => [[...a.shape], [...b.shape]],
  );
}

/** Every element type. */
export const dtypes: fc.Arbitrary<DType> = fc.constantFrom<DType[]>("float32", "float64", "int32", "bool");

/** Axes of a tensor of this rank, some counted from the end. */
export function axesOf(rank: number): fc.Arbitrary<number[]> {
  return fc
    .subarray(Array.from({ length: rank }, (_, axis) => axis))
    .chain((axes) => fc.tuple(...axes.map((axis) => fc.constantFrom(axis, axis - rank))));
}
