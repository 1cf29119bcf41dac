const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);
bits[0] = 1;
/** Which of the two words holds sign, exponent and the top of the mantissa: a matter of byte order. */
const HIGH = words[1] === 0x3ff00000 ? 1 : 0;

/** The high word of √½. */
const SQRT_HALF_HIGH = 0x3fe6a09e;
/** The first 32 bits of ln 2, so that k · LN2_HIGH is exact for every exponent k; and the rest. */
const LN2_HIGH = 0xb17217f7 / 2 ** 32;
const LN2_LOW = 1.9082149292705877e-10;
const TWO_54 = 2 ** 54;

/**
 * The natural logarithm in float64 by additions, multiplications and one division only. These are exactly
 * rounded by IEEE 754, so the result has the same bits on every machine and in every engine, which `Math.log`
 * does not promise. The error is below one unit in the last place.
 *
 * With x = 2ᵏ·(1+f), √½ ≤ 1+f < √2, and s = f/(2+f):
 * ln(1+f) = 2·artanh s = f − s·(f − R), R = 2·(s²/3 + s⁴/5 + s⁶/7 + …), because 2s = f − s·f.
 * As s² < 0.0295, eleven terms of the series leave less than 2⁻⁶⁰.
 */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  let exponent = 0;
  if (x < 2.2250738585072014e-308) {
    x *= TWO_54;
    exponent = -54;
  }
  bits[0] = x;
  const high = words[HIGH];
  const k = (high - SQRT_HALF_HIGH) >> 20;
  exponent += k;
  words[HIGH] = high - (k << 20);
  const f = bits[0] - 1;
  const s = f / (2 + f);
  const z = s * s;
  const series =
    z *
    (2 / 3 +
      z *
        (2 / 5 +
          z *
            (2 / 7 +
              z *
                (2 / 9 +
                  z *
                    (2 / 11 +
                      z *
                        (2 / 13 +
                          z * (2 / 15 + z * (2 / 17 + z * (2 / 19 + z * (2 / 21 + z * (2 / 23)))))))))));
  return exponent * LN2_HIGH + (f - (s * (f - series) - exponent * LN2_LOW));
}
