import type { Floats } from "../../dtype.js";
import { addressFor, addressOf, deliver, push, rewind, stackTop } from "../../memory/index.js";
import {
  logSoftmaxBackward as readableLogSoftmaxBackward,
  softmaxBackward as readableSoftmaxBackward,
} from "../reference/softmax-backward.js";
import {
  logSoftmax as readableLogSoftmax,
  logSumExp as readableLogSumExp,
  softmax as readableSoftmax,
} from "../reference/softmax.js";
import { isFast } from "./operands.js";
import { rows } from "./rows.js";

/** Softmax of rows, see `Kernels.softmax`. */
export function softmax(length: number, x: Floats, out: Floats): void {
  if (!isFast(out, 2 * out.length)) return readableSoftmax(length, x, out);
  const mark = stackTop();
  const to = addressFor(out);
  rows().softmax(out.length / length, length, addressOf(x as Float32Array), to);
  deliver(out, to);
  rewind(mark);
}

/** Log-softmax of rows, see `Kernels.logSoftmax`. */
export function logSoftmax(length: number, x: Floats, out: Floats): void {
  if (!isFast(out, 2 * out.length)) return readableLogSoftmax(length, x, out);
  const mark = stackTop();
  const to = addressFor(out);
  rows().logSoftmax(out.length / length, length, addressOf(x as Float32Array), to);
  deliver(out, to);
  rewind(mark);
}

/** Log of the sum of exponentials of each row, see `Kernels.logSumExp`. */
export function logSumExp(length: number, x: Floats, out: Floats): void {
  if (!isFast(x, x.length + out.length + length)) return readableLogSumExp(length, x, out);
  const mark = stackTop();
  const to = addressFor(out as Float32Array);
  rows().logSumExp(out.length, length, addressOf(x), to, push(4 * length));
  deliver(out as Float32Array, to);
  rewind(mark);
}

/** Gradient of softmax, see `Kernels.softmaxBackward`. */
export function softmaxBackward(length: number, y: Floats, g: Floats, out: Floats): void {
  if (!isFast(out, 3 * out.length)) return readableSoftmaxBackward(length, y, g, out);
  const mark = stackTop();
  const to = addressFor(out);
  rows().softmaxBackward(
    out.length / length,
    length,
    addressOf(y as Float32Array),
    addressOf(g as Float32Array),
    to,
  );
  deliver(out, to);
  rewind(mark);
}

/** Gradient of log-softmax, see `Kernels.logSoftmaxBackward`. */
export function logSoftmaxBackward(length: number, y: Floats, g: Floats, out: Floats): void {
  if (!isFast(out, 3 * out.length)) return readableLogSoftmaxBackward(length, y, g, out);
  const mark = stackTop();
  const to = addressFor(out);
  rows().logSoftmaxBackward(
    out.length / length,
    length,
    addressOf(y as Float32Array),
    addressOf(g as Float32Array),
    to,
  );
  deliver(out, to);
  rewind(mark);
}
