import { allocate, kernels, type Floats } from "../../tensor/index.js";

/** The sizes of a stack of products: A `[stacks, m, k]` and B `[stacks, k, n]`. */
export type StackedSizes = readonly [stacks: number, m: number, k: number, n: number];

/** A·B for each pair of a stack; either may be stored transposed. */
export function stackedProduct(
  [stacks, m, k, n]: StackedSizes,
  a: Floats,
  b: Floats,
  stored: { readonly transposeA?: boolean; readonly transposeB?: boolean } = {},
): Floats {
  const { transposeA = false, transposeB = false } = stored;
  const out = allocate(a instanceof Float32Array ? "float32" : "float64", stacks * m * n);
  const offsetsA = Int32Array.from({ length: stacks }, (_, i) => i * m * k);
  const offsetsB = Int32Array.from({ length: stacks }, (_, i) => i * k * n);
  if (out.length > 0) kernels().product({ m, k, n, transposeA, transposeB, offsetsA, offsetsB }, a, b, out);
  return out;
}
