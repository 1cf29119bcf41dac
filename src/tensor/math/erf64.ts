/** From here on erfc x is under half the least subnormal float64. */
const VANISHED = 27.3;

/**
 * The error function in float64, to about 4e-16 relative: x·P(x²) for |x| < ½, else 1 − erfc |x|. Odd; the sign of zero
 * is kept.
 */
export function erf64(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < 0.5) return erfNearZero(x);
  const result = 1 - erfcTail(magnitude);
  return x < 0 ? -result : result;
}

/** The complementary error function 1 − erf x in float64, to about 2e-15 relative also where it is small. */
export function erfc64(x: number): number {
  const magnitude = Math.abs(x);
  if (magnitude < 0.5) return 1 - erfNearZero(x);
  const tail = erfcTail(magnitude);
  return x < 0 ? 2 - tail : tail;
}

function erfcTail(x: number): number {
  const bounded = Math.min(x, VANISHED);
  return expOfSquare(bounded, -1) * scaledErfc(bounded);
}

/** exp(factor·x²), |x| < 2^29: the square of the 24-bit part of x is exact, and what it lacks is a factor of its own. */
export function expOfSquare(x: number, factor: number): number {
  const head = Math.fround(x);
  return Math.exp(factor * (head * head)) * Math.exp(factor * ((x - head) * (x + head)));
}

/** x·P(x²) for |x| < ½: P of degree 10, minimax for the relative error, 2^−72 (before its coefficients are rounded). */
function erfNearZero(x: number): number {
  const z = x * x;
  let p = z * 1.3211673077388364e-8 - 1.627280383456379e-7;
  p = p * z + 0.0000016459016702555006;
  p = p * z - 0.000014925586046584366;
  p = p * z + 0.0001205533212213357;
  p = p * z - 0.0008548327016060601;
  p = p * z + 0.005223977625402538;
  p = p * z - 0.02686617064513001;
  p = p * z + 0.11283791670955123;
  p = p * z - 0.37612638903183754;
  p = p * z + 1.1283791670955126;
  return x * p;
}

/**
 * exp(x²)·erfc x for ½ ≤ x ≤ 27.5: G(t), t = (x − 3)/(x + 3), of degree 20, minimax for the relative error, 2^−55 (before
 * its coefficients are rounded).
 */
export function scaledErfc(x: number): number {
  const t = (x - 3) / (x + 3);
  let g = t * -4.602385389551465e-9 - 2.39076843190411e-9;
  g = g * t + 4.086852968662338e-8;
  g = g * t + 3.3432754518540785e-8;
  g = g * t - 2.3001467860165982e-7;
  g = g * t - 2.9787375588348424e-7;
  g = g * t + 0.0000012503786634968788;
  g = g * t + 0.0000021218850160071488;
  g = g * t - 0.000007977545328674062;
  g = g * t - 0.000012861049675946607;
  g = g * t + 0.00006405645941742875;
  g = g * t + 0.00004525539884677904;
  g = g * t - 0.0005970619400383218;
  g = g * t + 0.0007077464281086593;
  g = g * t + 0.004269136332532697;
  g = g * t - 0.024392499318038663;
  g = g * t + 0.07166583719797577;
  g = g * t - 0.15011593650079402;
  g = g * t + 0.24560380171233115;
  g = g * t - 0.3262335600430371;
  g = g * t + 0.17900115118138996;
  return g;
}
