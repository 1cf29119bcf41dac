import type { Floats } from "../../dtype.js";
import { addressFor, addressOf, deliver, rewind, stackTop } from "../../memory/index.js";
import { normalizeRowsBackward as readableBackward } from "../reference/normalize-rows-backward.js";
import { normalizeRows as readable } from "../reference/normalize-rows.js";
import { isFast } from "./operands.js";
import { rows } from "./rows.js";

/** Normalizes rows, see `Kernels.normalizeRows`. */
export function normalizeRows(length: number, eps: number, x: Floats, out: Floats, scale: Floats): void {
  if (!isFast(out, 3 * out.length)) return readable(length, eps, x, out, scale);
  const mark = stackTop();
  const to = addressFor(out);
  const factors = addressFor(scale as Float32Array);
  rows().normalizeRows(scale.length, length, eps, addressOf(x as Float32Array), to, factors);
  deliver(out, to);
  deliver(scale as Float32Array, factors);
  rewind(mark);
}

/** Its gradient, see `Kernels.normalizeRowsBackward`. */
export function normalizeRowsBackward(
  length: number,
  y: Floats,
  scale: Floats,
  g: Floats,
  out: Floats,
): void {
  if (!isFast(out, 4 * out.length)) return readableBackward(length, y, scale, g, out);
  const mark = stackTop();
  const to = addressFor(out);
  rows().normalizeRowsBackward(
    scale.length,
    length,
    addressOf(y as Float32Array),
    addressOf(scale as Float32Array),
    addressOf(g as Float32Array),
    to,
  );
  deliver(out, to);
  rewind(mark);
}
