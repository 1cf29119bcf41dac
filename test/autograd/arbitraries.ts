import fc from "fast-check";
import { tensor, type Tensor } from "../../src/autograd/index.js";
import type { DType } from "../../src/tensor/index.js";

export interface ShapeOptions {
  readonly minRank?: number;
  readonly maxRank?: number;
  readonly minSize?: number;
  readonly maxSize?: number;
}

/** Shapes of few elements, rank 0 and sizes 0 and 1 among them. */
export function shapes(options: ShapeOptions = {}): fc.Arbitrary<number[]> {
  const { minRank = 0, maxRank = 3, minSize = 0, maxSize = 3 } = options;
  return fc.array(fc.integer({ min: minSize, max: maxSize }), { minLength: minRank, maxLength: maxRank });
}

/** The number of elements of a shape. */
export const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** Millionths from low to high: shrinks to simple numbers, and holds no subnormal ones. */
function millionths(low: number, high: number): fc.Arbitrary<number> {
  return fc.integer({ min: low * 1e6, max: high * 1e6 }).map((n) => n / 1e6);
}

/** A part of the number line on which a function is smooth. */
export const domains = {
  real: millionths(-3, 3),
  positive: millionths(0.4, 3),
  aboveMinusOne: millionths(-0.6, 2),
  /** Away from a kink or pole at 0. */
  notZero: fc.tuple(fc.boolean(), millionths(0.4, 3)).map(([negative, x]) => (negative ? -x : x)),
};

/** A float64 tensor of this shape with elements from a domain. */
export function tensors(shape: readonly number[], element = domains.real): fc.Arbitrary<Tensor> {
  const length = sizeOf(shape);
  return fc
    .array(element, { minLength: length, maxLength: length })
    .map((values) => tensor(Float64Array.from(values), { shape: [...shape] }));
}

/** A float64 tensor whose elements differ from each other by at least 0.2. */
export function distinct(shape: readonly number[]): fc.Arbitrary<Tensor> {
  const length = sizeOf(shape);
  const places = Array.from({ length }, (_, i) => i);
  return fc
    .tuple(
      fc.shuffledSubarray(places, { minLength: length, maxLength: length }),
      fc.array(millionths(0, 0.1), { minLength: length, maxLength: length }),
    )
    .map(([order, jitter]) =>
      tensor(
        Float64Array.from(order, (place, i) => (place - length / 2) * 0.3 + jitter[i]!),
        { shape: [...shape] },
      ),
    );
}

/** Two shapes that broadcast to each other. */
export const broadcastPairs: fc.Arbitrary<readonly [number[], number[]]> = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("same", "left", "right")), { maxLength: 3 })
  .chain((axes) => {
    const left = axes.map(([size, one]) => (one === "left" ? 1 : size));
    const right = axes.map(([size, one]) => (one === "right" ? 1 : size));
    const ones = (shape: number[]): number => {
      const first = shape.findIndex((size) => size !== 1);
      return first < 0 ? shape.length : first;
    };
    return fc
      .tuple(fc.integer({ min: 0, max: ones(left) }), fc.integer({ min: 0, max: ones(right) }))
      .map(([a, b]) => [left.slice(a), right.slice(b)] as const);
  });

export const dtypes = fc.constantFrom<DType[]>("float32", "float64", "int32", "bool");

/** Axes of a rank, some counted from the end. */
export function axesOf(rank: number): fc.Arbitrary<number[]> {
  return fc
    .subarray(Array.from({ length: rank }, (_, axis) => axis))
    .chain((axes) => fc.tuple(...axes.map((axis) => fc.constantFrom(axis, axis - rank))));
}
