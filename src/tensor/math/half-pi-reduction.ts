import { bits32 } from "./float-bits.js";

/*
 * The range reduction of sin and cos: x = (4j + q)·π/2 + r with whole j, q in {0, 1, 2, 3} and |r| ≤ π/4 (a little
 * more by rounding), in float64 arithmetic, exact enough for r to have a float32's relative precision for every
 * float32 x.
 */

const TWO_OVER_PI = 0.6366197723675814;
const HALF_PI = 1.5707963267948966;

/** π/2 in two parts. The first has 33 bits, so that its product with a whole number of 20 bits is exact. */
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_LOW = 6.077100506506192e-11;

/** Adding and subtracting 1.5·2^52 rounds a float64 to a whole number, ties to even. */
const ROUNDER = 6755399441055744;

/** Up to here the two parts of π/2 are enough. */
const MODERATE = 2 ** 20;

/** 2/π·2^192, truncated. */
const TWO_OVER_PI_BITS = 0xa2f9836e4e441529fc2757d1f534ddc0db6295993c439041n;
const FRACTION_BITS = 192n;

const remainder = new Float64Array(1);

/** Reduces x and returns q; r is what {@link reducedRemainder} gives until the next call. */
export function reduceHalfPi(x: number): number {
  if (Math.abs(x) <= MODERATE) {
    const count = x * TWO_OVER_PI + ROUNDER - ROUNDER;
    remainder[0] = x - count * HALF_PI_HIGH - count * HALF_PI_LOW;
    return count & 3;
  }
  return reduceLarge(x);
}

/** r of the last {@link reduceHalfPi}. */
export function reducedRemainder(): number {
  return remainder[0]!;
}

/**
 * After M. H. Payne and R. N. Hanek (1983): x = ±M·2^E with a whole M < 2^24, and only x·2/π modulo 4 counts. The 84
 * bits of 2^E·2/π from weight 2 down are kept as three numbers of 28 bits, whose products with M are exact.
 */
function reduceLarge(x: number): number {
  const bits = bits32(Math.abs(x));
  const row = 3 * ((bits >> 23) - FIRST_EXPONENT);
  const mantissa = (bits & 0x7fffff) | 0x800000;
  largeTable ??= tabulate();
  const first = mantissa * largeTable[row]!;
  let turns = first + ROUNDER - ROUNDER;
  let fraction = first - turns + mantissa * largeTable[row + 1]! + mantissa * largeTable[row + 2]!;
  const carry = fraction + ROUNDER - ROUNDER;
  fraction -= carry;
  turns = turns - 4 * Math.floor(turns / 4) + carry;
  const r = fraction * HALF_PI;
  remainder[0] = x < 0 ? -r : r;
  return (x < 0 ? -turns : turns) & 3;
}

/** The biased exponent of 2^20, and that of the greatest float32 numbers. */
const FIRST_EXPONENT = 147;
const LAST_EXPONENT = 254;

let largeTable: Float64Array | undefined;

/** For each biased exponent 2^E·2/π modulo 4, E the exponent of M's last bit, in three parts of 28 bits. */
function tabulate(): Float64Array {
  const table = new Float64Array(3 * (LAST_EXPONENT - FIRST_EXPONENT + 1));
  for (let exponent = FIRST_EXPONENT; exponent <= LAST_EXPONENT; exponent++) {
    const shift = BigInt(exponent - 150);
    const window = BigInt.asUintN(84, TWO_OVER_PI_BITS >> (FRACTION_BITS - 82n - shift));
    const row = 3 * (exponent - FIRST_EXPONENT);
    table[row] = Number(window >> 56n) * 2 ** -26;
    table[row + 1] = Number(BigInt.asUintN(28, window >> 28n)) * 2 ** -54;
    table[row + 2] = Number(BigInt.asUintN(28, window)) * 2 ** -82;
  }
  return table;
}
