import { allocate, type Floats } from "../../tensor/index.js";
import { stackedProduct, type StackedSizes } from "./stacked-product.js";

/** The sum over keys is cut into blocks of this many terms, as in every matrix product of the package. */
const block = 256;

/**
 * weights `[stacks, m, keys]` · values `[stacks, keys, n]`, where a hidden pair takes no part whatever its value: an ordinary
 * product would make NaN of 0·NaN and 0·∞. The same bits as with zeros in the hidden places.
 */
export function visibleProduct(
  sizes: StackedSizes,
  weights: Floats,
  values: Floats,
  hidden: Uint8Array | undefined,
): Floats {
  if (!hidden || values.every(Number.isFinite)) return stackedProduct(sizes, weights, values);
  const [stacks, m, keys, n] = sizes;
  const single = weights instanceof Float32Array;
  const out = allocate(single ? "float32" : "float64", stacks * m * n);
  for (let row = 0; row < stacks * m; row++) {
    const from = row * keys;
    const right = Math.floor(row / m) * keys * n;
    for (let j = 0; j < n; j++) {
      let total = 0;
      for (let start = 0; start < keys; start += block) {
        let sum = 0;
        for (let p = start; p < Math.min(start + block, keys); p++) {
          if (hidden[from + p] !== 0) continue;
          const term = weights[from + p]! * values[right + p * n + j]!;
          sum = single ? Math.fround(sum + Math.fround(term)) : sum + term;
        }
        total = single ? Math.fround(total + sum) : total + sum;
      }
      out[row * n + j] = total;
    }
  }
  return out;
}
