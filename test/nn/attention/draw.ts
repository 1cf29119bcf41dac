import fc from "fast-check";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import { generator } from "../../../src/random/index.js";

/** The sizes of one attention and the seed of what is in it. */
export interface Sizes {
  readonly seed: number;
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
  readonly d: number;
  readonly width: number;
}

export const shapes: fc.Arbitrary<Sizes> = fc.record({
  seed: fc.nat(),
  batch: fc.integer({ min: 1, max: 2 }),
  heads: fc.integer({ min: 1, max: 2 }),
  queries: fc.integer({ min: 1, max: 5 }),
  keys: fc.integer({ min: 1, max: 5 }),
  d: fc.integer({ min: 1, max: 4 }),
  width: fc.integer({ min: 1, max: 4 }),
});

interface Drawn {
  readonly q: Tensor;
  readonly k: Tensor;
  readonly v: Tensor;
  /** `[batch, heads, queries, keys]`, about half of it true. */
  readonly mask: Tensor;
}

/** Leaves and a mask of these sizes. */
export function draw(of: Sizes, dtype: "float32" | "float64"): Drawn {
  const rng = generator(of.seed);
  const make = (...shape: number[]): Tensor =>
    tensor(rng.normals(shape.reduce((a, b) => a * b)), { dtype, shape, requiresGrad: true });
  const { batch, heads, queries, keys, d, width } = of;
  const mask = tensor(Uint8Array.from(rng.integers(batch * heads * queries * keys, 0, 2)), {
    shape: [batch, heads, queries, keys],
  });
  return {
    q: make(batch, heads, queries, d),
    k: make(batch, heads, keys, d),
    v: make(batch, heads, keys, width),
    mask,
  };
}
