import type { Floats } from "../../dtype.js";
import type { Layout } from "../../layout.js";
import { addressFor, addressOf, deliver, rewind, stackTop } from "../../memory/index.js";
import type { BinaryOp } from "../kernels.js";
import { binary as readable } from "../reference/binary.js";
import { isFast } from "./operands.js";
import { wasm } from "./wasm/binary.js";
import { wasmModule } from "./wasm-module.js";

type Rows = (
  a: number,
  rowsA: number,
  stepA: number,
  b: number,
  rowsB: number,
  stepB: number,
  out: number,
  rows: number,
  n: number,
) => void;

const operations = wasmModule<Record<BinaryOp, Rows>>(wasm);

/** out = op(a, b) with broadcasting, see `Kernels.binary`. Walks of up to two axes are one call; longer ones are rare. */
export function binary(op: BinaryOp, layout: Layout, a: Floats, b: Floats, out: Floats): void {
  const { dims, strides } = layout;
  const last = dims.length - 1;
  const stepA = strides[0]![last]!;
  const stepB = strides[1]![last]!;
  if (last > 1 || stepA > 1 || stepB > 1 || !isFast(out, a.length + b.length + out.length)) {
    return readable(op, layout, a, b, out);
  }
  const mark = stackTop();
  const to = addressFor(out);
  operations()[op](
    addressOf(a as Float32Array),
    last === 0 ? 0 : strides[0]![0]!,
    stepA,
    addressOf(b as Float32Array),
    last === 0 ? 0 : strides[1]![0]!,
    stepB,
    to,
    last === 0 ? 1 : dims[0]!,
    dims[last]!,
  );
  deliver(out, to);
  rewind(mark);
}
