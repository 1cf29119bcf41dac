/**
 * The high 32 bits of the product of two unsigned 32-bit integers, as a signed 32-bit integer. Schoolbook
 * multiplication on 16-bit halves, so that every partial product fits into 32 bits.
 */
export function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const cross = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) >>> 0;
  const middle = (Math.imul(aLow, bHigh) + (cross & 0xffff)) >>> 0;
  return (Math.imul(aHigh, bHigh) + (cross >>> 16) + (middle >>> 16)) | 0;
}
