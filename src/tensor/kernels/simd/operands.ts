import { hasRoom } from "../../memory/index.js";
import type { Floats } from "../../dtype.js";

/**
 * Below this many elements a call into WebAssembly costs more than it saves, and the readable kernels, which give the same
 * bits, do the work.
 */
export const worthwhile = 32;

/** Whether the fast kernel is to be used: float32, enough elements, and room for operands that lie on the heap. */
export function isFast(out: Floats, elements: number): out is Float32Array {
  return out instanceof Float32Array && out.length >= worthwhile && hasRoom(4 * elements);
}
