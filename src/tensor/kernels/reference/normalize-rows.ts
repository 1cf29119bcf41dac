import { allocate, type Floats } from "../../dtype.js";
import { sumOf } from "./reduce.js";

/**
 * out = (x − mean)/√(var + eps) of each row of `length`, population variance; `scale` receives 1/√(var + eps).
 * Each row is first taken relative to its first entry, so that a constant row gives exact zeros; the mean takes a
 * correction pass (the mean of what is left after the first mean), and the variance is that of the centred values:
 * E[x²] − E[x]² would cancel for a large mean.
 */
export function normalizeRows(length: number, eps: number, x: Floats, out: Floats, scale: Floats): void {
  const single = out instanceof Float32Array;
  const centred = allocate(single ? "float32" : "float64", length);
  const squares = allocate(single ? "float32" : "float64", length);
  const round = (value: number): number => (single ? Math.fround(value) : value);
  const meanOf = (values: Floats): number => round(sumOf(values, 0, length, single) / length);
  for (let r = 0; r < scale.length; r++) {
    const start = r * length;
    const origin = x[start]!;
    for (let i = 0; i < length; i++) centred[i] = x[start + i]! - origin;
    for (let pass = 0; pass < 2; pass++) {
      const mean = meanOf(centred);
      for (let i = 0; i < length; i++) centred[i] = centred[i]! - mean;
    }
    for (let i = 0; i < length; i++) squares[i] = centred[i]! * centred[i]!;
    const factor = round(1 / round(Math.sqrt(round(meanOf(squares) + round(eps)))));
    scale[r] = factor;
    for (let i = 0; i < length; i++) out[start + i] = centred[i]! * factor;
  }
}
