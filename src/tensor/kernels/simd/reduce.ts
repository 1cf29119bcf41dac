import type { Floats } from "../../dtype.js";
import { addressFor, addressOf, deliver, rewind, stackTop } from "../../memory/index.js";
import type { Along, ReduceOp } from "../kernels.js";
import { reduce as readable } from "../reference/reduce.js";
import { isFast } from "./operands.js";
import { wasm } from "./wasm/reduce.js";
import { wasmModule } from "./wasm-module.js";

type Fold = (x: number, outer: number, length: number, inner: number, out: number) => void;

const folds = wasmModule<Record<ReduceOp, Fold>>(wasm);

/** Reduces along the middle axis of `[outer, length, inner]`, see `Kernels.reduce`. */
export function reduce(op: ReduceOp, along: Along, x: Floats, out: Floats): void {
  if (!isFast(x, x.length + out.length) || out.length === 0) return readable(op, along, x, out);
  const mark = stackTop();
  const to = addressFor(out as Float32Array);
  folds()[op](addressOf(x), along.outer, along.length, along.inner, to);
  deliver(out as Float32Array, to);
  rewind(mark);
}
