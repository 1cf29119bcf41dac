import { allocate, type Floats } from "../../dtype.js";
import { sumOf } from "./reduce.js";

/**
 * From the cotangent of normalized rows y to that of what was normalized: out = s·((g − mean(g)) − y·mean(g·y)) with the
 * `scale` s = 1/√(var + eps) of each row.
 */
export function normalizeRowsBackward(
  length: number,
  y: Floats,
  scale: Floats,
  g: Floats,
  out: Floats,
): void {
  const single = out instanceof Float32Array;
  const round = (value: number): number => (single ? Math.fround(value) : value);
  const weighted = allocate(single ? "float32" : "float64", length);
  for (let row = 0; row < scale.length; row++) {
    const start = row * length;
    for (let i = 0; i < length; i++) weighted[i] = g[start + i]! * y[start + i]!;
    const mean = round(sumOf(g, start, length, single) / length);
    const slope = round(sumOf(weighted, 0, length, single) / length);
    for (let i = start; i < start + length; i++) {
      out[i] = round(round(g[i]! - mean) - round(y[i]! * slope)) * scale[row]!;
    }
  }
}
