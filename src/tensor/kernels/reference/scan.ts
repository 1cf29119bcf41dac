import type { Floats } from "../../dtype.js";
import type { Along, ScanOp } from "../kernels.js";

/**
 * Running sum or product along the middle axis of `[outer, length, inner]`, in order. The running figure is float64 and
 * each of its values is rounded when it is stored: in float32 a long sum would drift, and stand still in the end.
 */
export function scan(op: ScanOp, { outer, length, inner }: Along, x: Floats, out: Floats): void {
  const running = new Float64Array(inner);
  for (let o = 0, at = 0; o < outer; o++) {
    running.fill(op === "sum" ? -0 : 1);
    for (let i = 0; i < length; i++) {
      for (let j = 0; j < inner; j++, at++) {
        running[j] = op === "sum" ? running[j]! + x[at]! : running[j]! * x[at]!;
        out[at] = running[j]!;
      }
    }
  }
}
