import type { Floats } from "../../dtype.js";
import { addressFor, addressOf, deliver, push, rewind, stackTop } from "../../memory/index.js";
import type { Along, ScanOp } from "../kernels.js";
import { scan as readable } from "../reference/scan.js";
import { isFast } from "./operands.js";
import { wasm } from "./wasm/scan.js";
import { wasmModule } from "./wasm-module.js";

type Scan = (x: number, outer: number, length: number, inner: number, out: number, running: number) => void;

const scans = wasmModule<Record<ScanOp, Scan>>(wasm);

/** Running sums and products, see `Kernels.scan`. */
export function scan(op: ScanOp, along: Along, x: Floats, out: Floats): void {
  const { outer, length, inner } = along;
  if (!isFast(out, x.length + out.length + 2 * inner)) return readable(op, along, x, out);
  const mark = stackTop();
  const to = addressFor(out);
  const running = push(inner * 8);
  scans()[op](addressOf(x as Float32Array), outer, length, inner, to, running);
  deliver(out, to);
  rewind(mark);
}
