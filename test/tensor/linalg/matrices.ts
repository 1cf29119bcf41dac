import fc from "fast-check";

export type Floats = Float32Array | Float64Array;

/** The two floating types, with the unit roundoff of each. */
export const types = [
  {
    name: "float32",
    make: (values: ArrayLike<number>): Floats => Float32Array.from(values),
    roundoff: 2 ** -24,
  },
  {
    name: "float64",
    make: (values: ArrayLike<number>): Floats => Float64Array.from(values),
    roundoff: 2 ** -53,
  },
] as const;

/** `count` numbers between −1 and 1, some of them zero, whole or tiny. */
export function entries(count: number): fc.Arbitrary<number[]> {
  const entry = fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 1, -1) },
    { weight: 1, arbitrary: fc.double({ min: -1e-6, max: 1e-6, noNaN: true }) },
  );
  return fc.array(entry, { minLength: count, maxLength: count });
}

/** A·B of row-major `[m, n]` and `[n, p]`, in float64. */
export function multiply(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  m: number,
  n: number,
  p: number,
): Float64Array {
  const product = new Float64Array(m * p);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < p; j++) {
      for (let l = 0; l < n; l++) product[i * p + j]! += a[i * n + l]! * b[l * p + j]!;
    }
  }
  return product;
}

/** The transpose of a row-major `[m, n]` matrix. */
export function transposed(a: ArrayLike<number>, m: number, n: number): Float64Array {
  return Float64Array.from({ length: m * n }, (_, at) => a[(at % m) * n + Math.floor(at / m)]!);
}

/** The greatest |a_i − b_i|; NaN where an entry is NaN. */
export function greatestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let greatest = 0;
  for (let i = 0; i < a.length; i++) greatest = Math.max(greatest, Math.abs(a[i]! - b[i]!));
  return greatest;
}

/** The greatest entry of |QᵀQ − I| for `[rows, columns]` Q. */
export function orthonormalityError(q: ArrayLike<number>, rows: number, columns: number): number {
  const gram = multiply(transposed(q, rows, columns), q, columns, rows, columns);
  const identity = Float64Array.from(gram, (_, at) => (Math.floor(at / columns) === at % columns ? 1 : 0));
  return greatestDifference(gram, identity);
}
