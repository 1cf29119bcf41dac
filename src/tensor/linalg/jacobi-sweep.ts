/**
 * One cyclic pass of one-sided Jacobi rotations over all pairs of columns p < q, in place. With x and y the first
 * `length` entries of the two columns,
 *
 *   α = x·x,  β = y·y,  γ = x·y,  δ = α − β,
 *   t = 2γ / (|δ| + √(δ² + 4γ²)) with the sign of δ,  c = 1/√(1 + t²),  s = t·c,
 *
 * and the whole columns (of `stride` entries: whatever follows x is turned along) become c·x + s·y and c·y − s·x,
 * which makes x and y orthogonal. Where β > α the two results change places, so that norms come to descend
 * (P. P. M. de Rijk, 1989). A pair with |γ| ≤ 4u·√(αβ), u the unit roundoff, is left alone. Returns whether any pair
 * was rotated.
 *
 * Shapes: columns `[k, stride]`, one column after the other. With `single`, entries are float32 numbers and every
 * operation is rounded to float32.
 */
export function jacobiSweep(
  columns: Float64Array,
  k: number,
  length: number,
  stride: number,
  single: boolean,
): boolean {
  let rotated = false;
  for (let p = 0; p < k - 1; p++) {
    for (let q = p + 1; q < k; q++) {
      const applied = single
        ? rotatePair32(columns, p * stride, q * stride, length, stride)
        : rotatePair64(columns, p * stride, q * stride, length, stride);
      rotated = applied || rotated;
    }
  }
  return rotated;
}

function rotatePair64(columns: Float64Array, x: number, y: number, length: number, stride: number): boolean {
  let alpha = 0;
  let beta = 0;
  let gamma = 0;
  for (let i = 0; i < length; i++) {
    const xi = columns[x + i]!;
    const yi = columns[y + i]!;
    alpha += xi * xi;
    beta += yi * yi;
    gamma += xi * yi;
  }
  if (!(Math.abs(gamma) > 2 ** -51 * Math.sqrt(alpha * beta))) return false;
  const delta = alpha - beta;
  const root = Math.sqrt(delta * delta + 4 * (gamma * gamma));
  // Where the squares vanish, the greater side stands for the root: t stays within [−1, 1].
  const hypotenuse = Math.max(root, Math.abs(delta), 2 * Math.abs(gamma));
  const t = ((delta < 0 ? -2 : 2) * gamma) / (Math.abs(delta) + hypotenuse);
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  const toX = beta > alpha ? y : x;
  const toY = beta > alpha ? x : y;
  for (let i = 0; i < stride; i++) {
    const xi = columns[x + i]!;
    const yi = columns[y + i]!;
    columns[toX + i] = c * xi + s * yi;
    columns[toY + i] = c * yi - s * xi;
  }
  return true;
}

function rotatePair32(columns: Float64Array, x: number, y: number, length: number, stride: number): boolean {
  const f = Math.fround;
  let alpha = 0;
  let beta = 0;
  let gamma = 0;
  for (let i = 0; i < length; i++) {
    const xi = columns[x + i]!;
    const yi = columns[y + i]!;
    alpha = f(alpha + f(xi * xi));
    beta = f(beta + f(yi * yi));
    gamma = f(gamma + f(xi * yi));
  }
  if (!(Math.abs(gamma) > f(2 ** -22 * f(Math.sqrt(f(alpha * beta)))))) return false;
  const delta = f(alpha - beta);
  const root = f(Math.sqrt(f(f(delta * delta) + f(4 * f(gamma * gamma)))));
  const hypotenuse = Math.max(root, Math.abs(delta), 2 * Math.abs(gamma));
  const t = f(((delta < 0 ? -2 : 2) * gamma) / f(Math.abs(delta) + hypotenuse));
  const c = f(1 / f(Math.sqrt(f(1 + f(t * t)))));
  const s = f(t * c);
  const toX = beta > alpha ? y : x;
  const toY = beta > alpha ? x : y;
  for (let i = 0; i < stride; i++) {
    const xi = columns[x + i]!;
    const yi = columns[y + i]!;
    columns[toX + i] = f(f(c * xi) + f(s * yi));
    columns[toY + i] = f(f(c * yi) - f(s * xi));
  }
  return true;
}
