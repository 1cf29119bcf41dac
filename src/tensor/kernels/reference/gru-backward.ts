import { allocate, type Floats } from "../../dtype.js";
import type { GruBackward, GruSizes } from "../kernels.js";
import { product } from "./product.js";

/** One product, of matrices that begin where their arrays do. */
const offsets = { offsetsA: new Int32Array(1), offsetsB: new Int32Array(1) };

/**
 * From the last step to the first, with g the cotangent of h′ (that of the states, plus what the next step handed back):
 *
 *   δn = g·(1 − z)·(1 − n²), δz = g·(h − n)·z·(1 − z), δr = δn·o_n·r·(1 − r), δo_n = δn·r,
 *   handed back to h: g·z + (δr, δz, δo_n)·W_hh,
 *
 * from left to right, rounded operation by operation; `inner` holds o_n. See `gruForward`.
 */
export function gruBackward({ time, batch, hidden }: GruSizes, arrays: GruBackward): void {
  const { cotangent, first, total, carry, weight, onward, start } = arrays;
  const size = batch * hidden;
  const dtype = cotangent instanceof Float32Array ? "float32" : "float64";
  const g = allocate(dtype, size);
  const back = allocate(dtype, size);
  if (carry) back.set(carry);
  const products = allocate(dtype, size);
  const layout = { m: batch, k: 3 * hidden, n: hidden, transposeA: false, transposeB: false, ...offsets };
  for (let t = time - 1; t >= 0; t--) {
    const follows = carry !== undefined || t + 1 < time;
    for (let row = 0, i = 0; row < batch; row++) {
      for (let j = 0, at = (row * total + first + t) * hidden; j < hidden; j++, at++, i++) {
        g[i] = follows ? cotangent[at]! + back[i]! : cotangent[at]!;
      }
    }
    gateCotangents(t, batch, hidden, g, arrays);
    if (t === 0 && !start) break;
    product(layout, onward.subarray(3 * t * size, 3 * (t + 1) * size), weight, products);
    passBack(t, batch, hidden, g, arrays, products, t > 0 ? back : start!);
  }
}

/** The cotangents of both parts of the gates of step t. */
function gateCotangents(
  t: number,
  batch: number,
  hidden: number,
  g: Floats,
  { before, gates, inner, inward, onward }: GruBackward,
): void {
  const single = g instanceof Float32Array;
  const rounded = (y: number): number => (single ? Math.fround(y) : y);
  for (let row = 0, i = 0, from = t * batch * hidden; row < batch; row++) {
    for (let j = 0, to = 3 * (t * batch + row) * hidden; j < hidden; j++, to++, i++, from++) {
      const r = gates[to]!;
      const z = gates[to + hidden]!;
      const n = gates[to + 2 * hidden]!;
      const rest = rounded(1 - z);
      const dn = rounded(rounded(g[i]! * rest) * rounded(1 - rounded(n * n)));
      const dz = rounded(rounded(g[i]! * rounded(before[from]! - n)) * z) * rest;
      const dr = rounded(rounded(dn * inner[from]!) * r) * rounded(1 - r);
      inward[to] = onward[to] = dr;
      inward[to + hidden] = onward[to + hidden] = dz;
      inward[to + 2 * hidden] = dn;
      onward[to + 2 * hidden] = dn * r;
    }
  }
}

/** out = g·z + products */
function passBack(
  t: number,
  batch: number,
  hidden: number,
  g: Floats,
  { gates }: GruBackward,
  products: Floats,
  out: Floats,
): void {
  const single = g instanceof Float32Array;
  for (let row = 0, i = 0; row < batch; row++) {
    for (let j = 0, at = (3 * (t * batch + row) + 1) * hidden; j < hidden; j++, at++, i++) {
      const direct = g[i]! * gates[at]!;
      out[i] = (single ? Math.fround(direct) : direct) + products[i]!;
    }
  }
}
