const doubles = new Float64Array(1);
const words = new Uint32Array(doubles.buffer);
const singles = new Float32Array(1);
const singleWords = new Int32Array(singles.buffer);

/**
 * The exponent e with 2^e ≤ |x| < 2^(e+1) of a finite float64 that is not subnormal; −1023 for zero and subnormal
 * float64 numbers, 1024 for infinities and NaN. Float32 numbers, subnormal ones too, are normal as float64.
 */
export function exponent64(x: number): number {
  doubles[0] = x;
  return ((words[1]! >>> 20) & 0x7ff) - 1023;
}

/** 2^e as a float64, for −1022 ≤ e ≤ 1023. */
export function powerOfTwo64(e: number): number {
  words[0] = 0;
  words[1] = (e + 1023) << 20;
  return doubles[0]!;
}

/** The bit pattern of a float32 as an int32. */
export function bits32(x: number): number {
  singles[0] = x;
  return singleWords[0]!;
}

/** The float32 with the given bit pattern. */
export function float32(bits: number): number {
  singleWords[0] = bits;
  return singles[0]!;
}
