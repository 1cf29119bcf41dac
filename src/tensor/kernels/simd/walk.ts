import type { Elements } from "../../dtype.js";
import {
  addressFor,
  addressOf,
  deliver,
  hasRoom,
  isTemporary,
  liesInMemory,
  rewind,
  stackTop,
} from "../../memory/index.js";
import type { Walk } from "../kernels.js";
import { pack as readablePack, unpack as readableUnpack } from "../reference/walk.js";
import { worthwhile } from "./operands.js";
import { wasm } from "./wasm/walk.js";
import { wasmModule } from "./wasm-module.js";

type Copy = (
  x: number,
  n0: number,
  n1: number,
  n2: number,
  n3: number,
  s0: number,
  s1: number,
  s2: number,
  s3: number,
  out: number,
) => void;

const functions = wasmModule<{ pack: Copy; unpack: Copy }>(wasm);

/** Whether a walk is short enough for the fast kernels, in axes. */
const axes = 4;

/** Calls a kernel with the walk's axes, filled up with axes of size 1 in front. */
function run(copy: Copy, { dims, strides }: Walk, x: number, out: number): void {
  const last = dims.length - 1;
  const size = (from: number): number => (from < 0 ? 1 : dims[from]!);
  const step = (from: number): number => (from < 0 ? 0 : strides[from]!);
  copy(
    x,
    size(last - 3),
    size(last - 2),
    size(last - 1),
    size(last),
    step(last - 3),
    step(last - 2),
    step(last - 1),
    step(last),
    out,
  );
}

/** Walked → contiguous, see `Kernels.pack`. What lies on the heap is copied only when most of it is wanted. */
export function pack(walk: Walk, x: Elements, out: Elements): void {
  const fast =
    x instanceof Float32Array &&
    out.length >= worthwhile &&
    walk.dims.length <= axes &&
    (x.length <= 2 * out.length || liesInMemory(x)) &&
    hasRoom(4 * (x.length + out.length));
  if (!fast) return readablePack(walk, x, out);
  const mark = stackTop();
  const to = addressFor(out as Float32Array);
  run(functions().pack, walk, addressOf(x) + 4 * walk.offset, to);
  deliver(out as Float32Array, to);
  rewind(mark);
}

/** Contiguous → walked, see `Kernels.unpack`. */
export function unpack(walk: Walk, x: Elements, out: Elements): void {
  const fast =
    x instanceof Float32Array &&
    x.length >= worthwhile &&
    walk.dims.length <= axes &&
    isTemporary(out) &&
    hasRoom(4 * x.length);
  if (!fast) return readableUnpack(walk, x, out);
  const mark = stackTop();
  run(functions().unpack, walk, addressOf(x), out.byteOffset + 4 * walk.offset);
  rewind(mark);
}
