import type { Floats } from "../../dtype.js";
import { addressFor, addressOf, deliver, rewind, stackTop } from "../../memory/index.js";
import type { UnaryBackwardOp, UnaryOp } from "../kernels.js";
import { unaryBackward as readableBackward } from "../reference/unary-backward.js";
import { unary as readable } from "../reference/unary.js";
import { isFast } from "./operands.js";
import { wasm } from "./wasm/unary.js";
import { wasmModule } from "./wasm-module.js";

type Functions = Record<UnaryOp, (x: number, out: number, n: number) => void> &
  Record<`${UnaryBackwardOp}Backward`, (g: number, of: number, out: number, n: number) => void>;

const functions = wasmModule<Functions>(wasm);

/** out[i] = op(x[i]), see `Kernels.unary`. */
export function unary(op: UnaryOp, x: Floats, out: Floats): void {
  if (!isFast(out, x.length + out.length)) return readable(op, x, out);
  const mark = stackTop();
  const to = addressFor(out);
  functions()[op](addressOf(x as Float32Array), to, out.length);
  deliver(out, to);
  rewind(mark);
}

/** The gradient of a function of one number, see `Kernels.unaryBackward`. */
export function unaryBackward(op: UnaryBackwardOp, g: Floats, of: Floats, out: Floats): void {
  if (!isFast(out, g.length + of.length + out.length)) return readableBackward(op, g, of, out);
  const mark = stackTop();
  const to = addressFor(out);
  functions()[`${op}Backward`](addressOf(g as Float32Array), addressOf(of as Float32Array), to, out.length);
  deliver(out, to);
  rewind(mark);
}
