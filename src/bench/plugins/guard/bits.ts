/** Typed arrays of numbers. */
export type Numbers = Float32Array | Float64Array | Int32Array | Uint8Array;

/** Whether two arrays hold the same bits: a NaN equals itself, −0 is not 0. */
export function sameBits(a: Numbers, b: Numbers): boolean {
  return a.length === b.length && Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

function bytesOf(array: Numbers): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

/** The first element that is no finite number; -1 when all are. */
export function firstNotFinite(numbers: ArrayLike<number>): number {
  for (let i = 0; i < numbers.length; i++) if (!Number.isFinite(numbers[i])) return i;
  return -1;
}
