import { allocate, type FloatDType, type Floats } from "../dtype.js";
import { memory } from "./arena.js";
import { FreeRanges } from "./free-ranges.js";

let free: FreeRanges | undefined;

/** Gives storage back some time after nobody can reach it; where that comes too late, new storage lies on the heap. */
const returns = new FinalizationRegistry<{ readonly address: number; readonly bytes: number }>(
  ({ address, bytes }) => free?.giveBack(address, bytes),
);

/**
 * Storage that outlives scopes and is rewritten in place, for parameters and the figures of optimizers. It lies in linear
 * memory, where kernels read it without a copy, as long as there is room, otherwise on the heap. All zero at first.
 *
 * The elements are valid as long as the object can be reached: whoever holds them holds it too (see `NDArray.home`).
 */
export class LastingStorage {
  readonly elements: Floats;

  /** Throws `E_SHAPE` for more elements than memory holds. */
  constructor(dtype: FloatDType, length: number) {
    this.elements = this.#inLinearMemory(dtype, length) ?? allocate(dtype, length);
  }

  #inLinearMemory(dtype: FloatDType, length: number): Floats | undefined {
    if (length === 0 || typeof WebAssembly !== "object") return undefined;
    const { buffer, lasting, start } = memory();
    free ??= new FreeRanges(lasting, start);
    const made = dtype === "float32" ? Float32Array : Float64Array;
    const bytes = Math.ceil((length * made.BYTES_PER_ELEMENT) / line) * line;
    const address = free.take(bytes);
    if (address === undefined) return undefined;
    returns.register(this, { address, bytes });
    return new made(buffer, address, length).fill(0);
  }
}

/** Storage begins at a multiple of a cache line. */
const line = 64;

/** For tests: bytes in linear memory that lasting storage may still take, in one piece each. */
export function lastingRoom(): readonly number[] {
  const { lasting, start } = memory();
  return free ? free.sizes : [start - lasting];
}
