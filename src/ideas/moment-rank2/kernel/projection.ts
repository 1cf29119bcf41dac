import { allocate, dtypeOf, type FloatDType, type Floats } from "../../../tensor/index.js";

/** A basis of moments: P(H) = Σ_k ⟨E_k, H⟩ E_k with E `[count, rows·columns]`. */
interface Moments {
  readonly count: number;
  readonly elements: Floats;
}

/**
 * P(H) of each matrix of a batch: the moments first, then their combination. Sums begin at 0 and go through the entries,
 * and through k, in order.
 */
function projection({ count, elements }: Moments, h: Floats): Floats {
  const single = h instanceof Float32Array;
  const size = elements.length / count;
  const amounts = new Float64Array(count);
  const out = allocate(dtypeOf(h) as FloatDType, h.length);
  for (let base = 0; base < h.length; base += size) {
    for (let k = 0; k < count; k++) {
      let sum = 0;
      for (let i = 0; i < size; i++) {
        const product = h[base + i]! * elements[k * size + i]!;
        sum = single ? Math.fround(sum + Math.fround(product)) : sum + product;
      }
      amounts[k] = sum;
    }
    for (let i = 0; i < size; i++) {
      let sum = 0;
      for (let k = 0; k < count; k++) {
        const product = amounts[k]! * elements[k * size + i]!;
        sum = single ? Math.fround(sum + Math.fround(product)) : sum + product;
      }
      out[base + i] = sum;
    }
  }
  return out;
}

/** H − P(H) of each matrix of a batch. */
export function projectRemainder(moments: Moments, h: Floats): Floats {
  const out = projection(moments, h);
  for (let i = 0; i < h.length; i++) out[i] = h[i]! - out[i]!;
  return out;
}

/** C ← C + P(H − C), in place. */
export function restoreMoments(moments: Moments, c: Floats, h: Floats): void {
  const difference = allocate(dtypeOf(h) as FloatDType, h.length);
  for (let i = 0; i < h.length; i++) difference[i] = h[i]! - c[i]!;
  const projected = projection(moments, difference);
  for (let i = 0; i < h.length; i++) c[i] = c[i]! + projected[i]!;
}

/** out = P(G) + D. */
export function projectSum(moments: Moments, g: Floats, d: Floats, out: Floats): void {
  const projected = projection(moments, g);
  for (let i = 0; i < g.length; i++) out[i] = projected[i]! + d[i]!;
}
