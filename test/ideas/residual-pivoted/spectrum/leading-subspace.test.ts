import fc from "fast-check";
import { expect, it } from "vitest";
import { leadingSubspace } from "../../../../src/ideas/residual-pivoted/spectrum/leading-subspace.js";
import { generator } from "../../../../src/random/index.js";
import { runs } from "../../../runs.js";
import { seeds, withSpectrum } from "../../moment-rank2/random-matrices.js";

/** ‖A V_r‖² for orthonormal rows V_r, and how far those are from orthonormal. */
function captured(a: Float64Array, rows: number, columns: number, vectors: Float64Array) {
  const rank = vectors.length / columns;
  const dot = (x: Float64Array, xAt: number, y: Float64Array, yAt: number): number => {
    let sum = 0;
    for (let j = 0; j < columns; j++) sum += x[xAt + j]! * y[yAt + j]!;
    return sum;
  };
  let energy = 0;
  let gap = 0;
  for (let t = 0; t < rank; t++) {
    for (let i = 0; i < rows; i++) energy += dot(a, i * columns, vectors, t * columns) ** 2;
    for (let other = 0; other < rank; other++) {
      const product = dot(vectors, t * columns, vectors, other * columns);
      gap = Math.max(gap, Math.abs(product - (t === other ? 1 : 0)));
    }
  }
  return { energy, gap };
}

const spectra = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 });

it("spans the leading right singular vectors of matrices of a known spectrum, equal and zero values too", () => {
  fc.assert(
    fc.property(
      seeds,
      spectra,
      fc.constantFrom(1, 2, 4),
      fc.constantFrom(0, 0.5, 1),
      (seed, top, rank, tail) => {
        const spectrum = [
          ...top.map((value) => 1 + value),
          ...Array.from({ length: 8 }, (_, t) => tail / (t + 1)),
        ];
        spectrum.sort((a, b) => b - a);
        const a = withSpectrum(seed, { rows: 14, columns: 12 }, spectrum);
        const { energy, gap } = captured(a, 14, 12, leadingSubspace(a, 14, 12, rank, generator(seed)));
        const most = spectrum.slice(0, rank).reduce((sum, value) => sum + value ** 2, 0);
        expect(gap).toBeLessThan(1e-12);
        expect(Math.abs(energy - most)).toBeLessThan(1e-10);
      },
    ),
    // Four equal values beside zeros: what rounding leaves of these is coupled to the others by a few units of the last place;
    // and all four vectors of one eigenvalue, which one shift for all of them does not find.
    {
      numRuns: runs(40),
      examples: [
        [1911692774, [0, 0, 0, 0], 1, 0],
        [1862709035, [0, 0, 0, 0], 4, 0],
      ],
    },
  );
});

it.each([
  ["identity", 3, (i: number, j: number) => (i === j ? 1 : 0), 3],
  ["zero", 2, () => 0, 0],
  ["all alike", 3, () => 1 / 8, 1],
])(
  "finishes for the matrix %s, whose space is not unique or smaller than the rank",
  (_, rank, entry, energyOf) => {
    const a = Float64Array.from({ length: 64 }, (_value, at) => entry(Math.floor(at / 8), at % 8));
    const { energy, gap } = captured(a, 8, 8, leadingSubspace(a, 8, 8, rank, generator(1)));
    expect(gap).toBeLessThan(1e-12);
    expect(energy).toBeCloseTo(energyOf, 12);
  },
);

it("finds the leading space of a matrix whose spectrum decays, from a part of the basis", () => {
  const spectrum = Array.from({ length: 40 }, (_, t) => 2 ** -t);
  const a = withSpectrum(3, { rows: 40, columns: 40 }, spectrum);
  const { energy } = captured(a, 40, 40, leadingSubspace(a, 40, 40, 4, generator(1)));
  expect(energy).toBeCloseTo(1 + 2 ** -2 + 2 ** -4 + 2 ** -6, 12);
});
