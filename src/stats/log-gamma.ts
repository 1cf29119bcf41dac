const HALF_LOG_2PI = 0.9189385332046728;

/** B₂ₖ/(2k(2k−1)) for k = 1 … 8, B the Bernoulli numbers: the coefficients of Stirling's series. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400];

/**
 * What Stirling's formula leaves of ln Γ: ln Γ(x) − (x − ½)·ln x + x − ½·ln 2π, for x ≥ 10, to 1e-17.
 */
export function stirlingRest(x: number): number {
  const inverseSquare = 1 / (x * x);
  let sum = 0;
  for (let k = STIRLING.length - 1; k >= 0; k--) sum = sum * inverseSquare + STIRLING[k];
  return sum / x;
}

/** ln Γ(x) for x > 0: Stirling's series from 10 on, below it through Γ(x) = Γ(x+1)/x. */
export function logGamma(x: number): number {
  let product = 1;
  let shifted = x;
  while (shifted < 10) product *= shifted++;
  const stirling = (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_2PI + stirlingRest(shifted);
  return stirling - Math.log(product);
}

/**
 * ln B(a, b) = ln Γ(a) + ln Γ(b) − ln Γ(a+b) for a, b > 0. Large arguments are combined before they are subtracted,
 * so that the relative error of B stays near 1e-14.
 */
export function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  const total = a + b;
  if (large < 10) return logGamma(small) + logGamma(large) - logGamma(total);
  const rest = stirlingRest(large) - stirlingRest(total);
  const largePart = -large * Math.log1p(small / large);
  if (small < 10) {
    return (
      logGamma(small) + rest + largePart + 0.5 * Math.log1p(small / large) - small * Math.log(total) + small
    );
  }
  const smallPart = (small - 0.5) * Math.log(small / total) - 0.5 * Math.log(large);
  return smallPart + largePart + HALF_LOG_2PI + stirlingRest(small) + rest;
}
