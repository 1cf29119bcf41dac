import { allocate, type Floats } from "../../dtype.js";
import { exp32 } from "../../math/index.js";
import { sumOf } from "./reduce.js";

/** From the cotangent of each row of a softmax y to that of its logits: out = g·y − y·Σ g·y. */
export function softmaxBackward(length: number, y: Floats, g: Floats, out: Floats): void {
  const single = out instanceof Float32Array;
  const weighted = allocate(single ? "float32" : "float64", length);
  for (let start = 0; start < out.length; start += length) {
    for (let i = 0; i < length; i++) weighted[i] = g[start + i]! * y[start + i]!;
    const total = sumOf(weighted, 0, length, single);
    for (let i = 0; i < length; i++) {
      const part = y[start + i]! * total;
      out[start + i] = weighted[i]! - (single ? Math.fround(part) : part);
    }
  }
}

/** From the cotangent of each row of a log-softmax y to that of its logits: out = g − eʸ·Σ g. */
export function logSoftmaxBackward(length: number, y: Floats, g: Floats, out: Floats): void {
  const single = out instanceof Float32Array;
  for (let start = 0; start < out.length; start += length) {
    const total = sumOf(g, start, length, single);
    const end = start + length;
    if (single) for (let i = start; i < end; i++) out[i] = g[i]! - Math.fround(exp32(y[i]!) * total);
    else for (let i = start; i < end; i++) out[i] = g[i]! - Math.exp(y[i]!) * total;
  }
}
