/**
 * baseⁿ of float64 numbers for a whole n ≥ 0, by squaring: products alone, so that the bits are the same on every engine, which
 * they need not be with `**`. Relatively off by at most (n − 1)·2⁻⁵³ to first order, unless it underflows.
 */
export function integerPower(base: number, n: number): number {
  let power = 1;
  let square = base;
  for (let rest = n; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power *= square;
    square *= square;
  }
  return power;
}
