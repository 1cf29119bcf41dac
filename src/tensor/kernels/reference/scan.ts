import type { Floats } from "../../dtype.js";
import type { Along, ScanOp } from "../kernels.js";

/** Running sum or product along the middle axis of `[outer, length, inner]`, in order. */
export function scan(op: ScanOp, { outer, length, inner }: Along, x: Floats, out: Floats): void {
  for (let o = 0; o < outer; o++) {
    for (let i = 0; i < length; i++) {
      const row = (o * length + i) * inner;
      for (let at = row; at < row + inner; at++) {
        if (i === 0) out[at] = x[at]!;
        else if (op === "sum") out[at] = out[at - inner]! + x[at]!;
        else out[at] = out[at - inner]! * x[at]!;
      }
    }
  }
}
