import { allocate, type Floats } from "../../tensor/index.js";
import { stackedProduct, type StackedSizes } from "./stacked-product.js";

/** The sum over the inner axis is cut into blocks of this many terms, as in every matrix product of the package. */
const block = 256;

/**
 * weights `[stacks, m, k]` · values `[stacks, k, n]`, where a hidden pair takes no part whatever its value: an ordinary
 * product would make NaN of 0·NaN and 0·∞. The same bits as with zeros in the hidden places. The weights hold 0 where they are
 * hidden; with `transposed` both they and `hidden` are stored as `[stacks, k, m]`.
 */
export function visibleProduct(
  sizes: StackedSizes,
  weights: Floats,
  values: Floats,
  hidden: Uint8Array | undefined,
  transposed = false,
): Floats {
  if (!hidden || allFinite(values)) return stackedProduct(sizes, weights, values, { transposeA: transposed });
  const [stacks, m, k, n] = sizes;
  const [rowStep, innerStep] = transposed ? [1, m] : [k, 1];
  const single = weights instanceof Float32Array;
  const out = allocate(single ? "float32" : "float64", stacks * m * n);
  for (let row = 0; row < stacks * m; row++) {
    const stack = Math.floor(row / m);
    const left = stack * m * k + (row - stack * m) * rowStep;
    const right = stack * k * n;
    for (let j = 0; j < n; j++) {
      let total = 0;
      for (let start = 0; start < k; start += block) {
        let sum = 0;
        for (let p = start; p < Math.min(start + block, k); p++) {
          const at = left + p * innerStep;
          if (hidden[at] !== 0) continue;
          const term = weights[at]! * values[right + p * n + j]!;
          sum = single ? Math.fround(sum + Math.fround(term)) : sum + term;
        }
        total = single ? Math.fround(total + sum) : total + sum;
      }
      out[row * n + j] = total;
    }
  }
  return out;
}

/** In place: 0 where hidden. */
export function hide(values: Floats, hidden: Uint8Array | undefined): void {
  if (hidden) for (let i = 0; i < values.length; i++) if (hidden[i] !== 0) values[i] = 0;
}

function allFinite(values: Floats): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}
