import type { Floats } from "../../dtype.js";
import { addressFor, addressOf, deliver, push, rewind, stackTop } from "../../memory/index.js";
import { norm as readable } from "../reference/norm.js";
import { isFast } from "./operands.js";
import { rows } from "./rows.js";

/** √Σx² of each row, see `Kernels.norm`. */
export function norm(length: number, x: Floats, out: Floats): void {
  if (!isFast(x, x.length + out.length + length)) return readable(length, x, out);
  const mark = stackTop();
  const to = addressFor(out as Float32Array);
  rows().norm(out.length, length, addressOf(x), to, push(4 * length));
  deliver(out as Float32Array, to);
  rewind(mark);
}
