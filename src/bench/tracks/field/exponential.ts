/** ln 2 in two parts: k · LN2_HIGH is exact for |k| < 2²⁰. */
const LN2_HIGH = 0xb17217f7 / 2 ** 32;
const LN2_LOW = 1.9082149292705877e-10;

/** 1/i! for i from 0 to 14; |r| ≤ ln 2/2 leaves an error below 1e-18 in eʳ. */
const taylor = Array.from({ length: 15 }, (_, i) => {
  let factorial = 1;
  for (let k = 2; k <= i; k++) factorial *= k;
  return 1 / factorial;
});

/** 2⁻ᵏ for k from 0 to 1022, each exact. */
const halves = new Float64Array(1023);
halves[0] = 1;
for (let k = 1; k < halves.length; k++) halves[k] = halves[k - 1] / 2;

/**
 * e⁻ˣ for x ≥ 0 in float64, with a relative error below 1e-15, by additions, multiplications and divisions only, which every
 * machine rounds alike; `Math.exp` may differ in the last bit from one engine to another. 0 from x = 708 on.
 *
 * With k = round(x/ln 2) and r = k ln 2 − x: e⁻ˣ = 2⁻ᵏ eʳ.
 */
export function decay(x: number): number {
  if (!(x < 708)) return Number.isNaN(x) ? NaN : 0;
  const k = Math.round(x / (LN2_HIGH + LN2_LOW));
  const r = k * LN2_HIGH - x + k * LN2_LOW;
  let sum = 0;
  for (let i = taylor.length - 1; i >= 0; i--) sum = sum * r + taylor[i];
  return halves[k] * sum;
}
