import type { Floats } from "../../dtype.js";
import { addressFor, addressOf, deliver, rewind, stackTop } from "../../memory/index.js";
import type { Along, ScanOp } from "../kernels.js";
import { scan as readable } from "../reference/scan.js";
import { isFast } from "./operands.js";
import { wasm } from "./wasm/scan.js";
import { wasmModule } from "./wasm-module.js";

type Scan = (x: number, outer: number, length: number, inner: number, out: number) => void;

const scans = wasmModule<Record<ScanOp, Scan>>(wasm);

/** Running sums and products, see `Kernels.scan`. */
export function scan(op: ScanOp, along: Along, x: Floats, out: Floats): void {
  if (!isFast(out, x.length + out.length)) return readable(op, along, x, out);
  const mark = stackTop();
  const to = addressFor(out);
  scans()[op](addressOf(x as Float32Array), along.outer, along.length, along.inner, to);
  deliver(out, to);
  rewind(mark);
}
