import fc from "fast-check";

/**
 * Finite differences of ordinary size, zeros, repetitions and decimals among them. They lie on grids, so that two sums
 * are either tied or clearly apart.
 */
export function differences(minLength: number, maxLength: number): fc.Arbitrary<number[]> {
  const value = fc.oneof(
    fc.integer({ min: -400_000, max: 400_000 }).map((steps) => steps / 4096),
    fc.integer({ min: -3, max: 3 }),
    fc.integer({ min: -20, max: 20 }).map((tenths) => tenths / 10),
  );
  return fc.array(value, { minLength, maxLength });
}

/** Inputs that no sample may be. */
export const unusable: readonly (readonly number[])[] = [
  [],
  [NaN, 1, 2],
  [1, Infinity, 2],
  [1, 2, -Infinity],
];
