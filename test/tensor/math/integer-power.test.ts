import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { integerPower } from "../../../src/tensor/math/index.js";

/** A number as a whole multiple of a power of two. */
function exactly(x: number): { mantissa: bigint; exponent: number } {
  let exponent = 0;
  let mantissa = x;
  for (; !Number.isInteger(mantissa); exponent--) mantissa *= 2;
  return { mantissa: BigInt(mantissa), exponent };
}

describe("integerPower", () => {
  test("is exact where the power is a float64", () => {
    for (let n = 0; n <= 33; n++) expect(integerPower(3, n)).toBe(Number(3n ** BigInt(n)));
    for (let n = 0; n <= 1074; n++) expect(integerPower(0.5, n)).toBe(2 ** -n);
    expect([integerPower(0, 0), integerPower(0, 7), integerPower(-2, 3)]).toEqual([1, 0, -8]);
  });

  test("is off by at most (n − 1)·2⁻⁵³, against exact products of whole numbers", () => {
    const bases = fc.oneof(
      fc.constantFrom(0.9, 0.95, 0.99, 0.999),
      fc.double({ min: 0.5, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(bases, fc.integer({ min: 1, max: 600 }), (base, n) => {
        const [power, one] = [exactly(integerPower(base, n)), exactly(base)];
        const exact = one.mantissa ** BigInt(n);
        const shift = BigInt(one.exponent * n - power.exponent);
        const [a, b] = shift > 0n ? [power.mantissa, exact << shift] : [power.mantissa << -shift, exact];
        const difference = a > b ? a - b : b - a;
        expect(difference << 53n <= b * BigInt(n - 1)).toBe(true);
      }),
    );
  });
});
