/**
 * Where an increasing function crosses 0 in [low, high], by halving to a relative width of 1e-14. The ends need not
 * have been evaluated: below the interval gives low, above it gives high.
 */
export function increasingRoot(f: (x: number) => number, low: number, high: number): number {
  let below = low;
  let above = high;
  while (above - below > 1e-14 * above) {
    const middle = below + (above - below) / 2;
    if (middle === below || middle === above) break;
    if (f(middle) < 0) below = middle;
    else above = middle;
  }
  return above;
}
