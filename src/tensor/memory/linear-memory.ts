/*
 * The memory that WebAssembly kernels compute in: one for each thread, made when it is first needed. It never grows,
 * since growing would cut off every view of it; memory that nobody has written to costs nothing.
 */

/** Static data of the kernel modules lies below; the same number stands in scripts/build-kernels.mjs. */
const staticEnd = 65536;

/** Sizes to ask for, in pages of 64 KiB: 1 GiB, or less where address space is short. */
const sizes = [16384, 4096, 1024];

/** What share of it is for lasting storage. */
const lastingShare = 1 / 32;

/** Linear memory and the views through which TypeScript reads it. */
export interface LinearMemory {
  readonly memory: WebAssembly.Memory;
  readonly buffer: ArrayBuffer;
  readonly singles: Float32Array;
  /** The first byte of lasting storage, which ends at `start`. */
  readonly lasting: number;
  /** The first byte that the stack may take, and one past the last. */
  readonly start: number;
  readonly end: number;
}

let made: LinearMemory | undefined;

/** The memory of this thread. Throws a `RangeError` when not even the smallest size is to be had. */
export function linearMemory(): LinearMemory {
  made ??= create();
  return made;
}

function create(): LinearMemory {
  for (const [index, initial] of sizes.entries()) {
    try {
      const memory = new WebAssembly.Memory({ initial });
      const { buffer } = memory;
      return {
        memory,
        buffer,
        singles: new Float32Array(buffer),
        lasting: staticEnd,
        // Whole by its type too: V8 computes with addresses as integers only if the first of them is one.
        start: staticEnd + Math.floor(lastingShare * buffer.byteLength),
        end: buffer.byteLength,
      };
    } catch (error) {
      if (index === sizes.length - 1) throw error;
    }
  }
  throw new RangeError("unreachable");
}
