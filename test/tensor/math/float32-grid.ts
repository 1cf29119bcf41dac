const singles = new Float32Array(1);
const patterns = new Uint32Array(singles.buffer);

/** The float32 with a bit pattern. */
export function fromBits(pattern: number): number {
  patterns[0] = pattern;
  return singles[0]!;
}

/** The bit pattern of a float32. */
export function toBits(x: number): number {
  singles[0] = x;
  return patterns[0]!;
}

/** Every `step`-th bit pattern: both signs, all exponents, subnormal numbers, infinities and NaN. */
export function* float32Grid(step: number): Generator<number> {
  for (let pattern = 0; pattern < 2 ** 32; pattern += step) yield fromBits(pattern);
}

/** The `count` float32 numbers on either side of each given one, with the same sign, and those themselves. */
export function* neighbours(centres: readonly number[], count: number): Generator<number> {
  for (const centre of centres) {
    const middle = toBits(centre);
    for (let offset = -count; offset <= count; offset++) yield fromBits(middle + offset);
  }
}

/**
 * |actual − expected| in units of the last place of the expected number as a float32. 0 where both are NaN or the same
 * infinity; ∞ where only one is non-finite (an exact value that rounds to infinity counts as infinite) or where a zero
 * has the wrong sign.
 */
export function ulpError(actual: number, expected: number): number {
  const rounded = Math.fround(expected);
  if (Object.is(actual, rounded) && !Number.isFinite(rounded)) return 0;
  if (!Number.isFinite(actual) || !Number.isFinite(rounded)) return Infinity;
  if (actual === 0 && rounded === 0)
    return Object.is(actual, rounded) ? Math.abs(expected) * 2 ** 149 : Infinity;
  const exponent = Math.max(-126, Math.floor(Math.log2(Math.abs(expected))));
  return Math.abs(actual - expected) / 2 ** (exponent - 23);
}
