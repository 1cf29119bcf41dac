import { allocate, type Floats } from "../../dtype.js";
import type { LayerNormBackward, LayerNormForward } from "../kernels.js";
import { normalizeRowsBackward } from "./normalize-rows-backward.js";
import { normalizeRows } from "./normalize-rows.js";

/** out = normal·weight + bias of each row, `normal` and `scale` as `normalizeRows` gives them. */
export function layerNorm(length: number, eps: number, arrays: LayerNormForward): void {
  const { x, weight, bias, out, normal, scale } = arrays;
  const single = out instanceof Float32Array;
  normalizeRows(length, eps, x, normal, scale);
  for (let start = 0; start < x.length; start += length) {
    for (let j = 0; j < length; j++) {
      const scaled = normal[start + j]! * weight[j]!;
      out[start + j] = (single ? Math.fround(scaled) : scaled) + bias[j]!;
    }
  }
}

/** `dx` from g·weight as `normalizeRowsBackward` has it, and `weighted` = g·normal, whose column sums are those of the weight. */
export function layerNormBackward(length: number, arrays: LayerNormBackward): void {
  const { g, normal, scale, weight, dx, weighted } = arrays;
  const inner: Floats = allocate(g instanceof Float32Array ? "float32" : "float64", g.length);
  for (let start = 0; start < g.length; start += length) {
    for (let j = 0; j < length; j++) {
      inner[start + j] = g[start + j]! * weight[j]!;
      weighted[start + j] = g[start + j]! * normal[start + j]!;
    }
  }
  normalizeRowsBackward(length, normal, scale, inner, dx);
}
