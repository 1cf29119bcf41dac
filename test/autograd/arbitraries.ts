import type fc from "fast-check";
import type { Tensor } from "../../src/autograd/index.js";
import * as kit from "../../src/testing/arbitraries/index.js";

export { axesOf, domains, dtypes, shapes } from "../../src/testing/arbitraries/index.js";
export { sizeOf } from "../../src/tensor/index.js";
export type { SizeOptions as ShapeOptions } from "../../src/testing/arbitraries/index.js";

/** A float64 tensor of this shape with elements from a domain. */
export function tensors(
  shape: readonly number[],
  elements: fc.Arbitrary<number> = kit.domains.real,
): fc.Arbitrary<Tensor> {
  return kit.tensors({ shape, elements });
}

/** A float64 tensor whose elements differ from each other by at least 0.2. */
export const distinct = (shape: readonly number[]): fc.Arbitrary<Tensor> =>
  kit.tensors({ shape, apart: 0.2 });

/** Two shapes that broadcast to each other. */
export const broadcastPairs = kit.broadcastShapePairs();
