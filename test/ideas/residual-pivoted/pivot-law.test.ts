import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generator } from "../../../src/random/index.js";
import {
  pickPivot,
  pickPivots,
  pivotMass,
  pivotPicker,
} from "../../../src/ideas/residual-pivoted/kernel/pivot-law.js";
import {
  eliminate,
  startResidual,
  type Residual,
} from "../../../src/ideas/residual-pivoted/kernel/residual.js";
import { dustTolerance, pivotLaws } from "../../../src/ideas/residual-pivoted/settings.js";

function residualOf(logWeights: number[], present = logWeights.map(() => 1), single = false): Residual {
  return startResidual({
    single,
    capacity: 4,
    present: Uint8Array.from(present),
    logWeights: Float64Array.from(logWeights),
    tolerance: dustTolerance(4, single),
  });
}

function law(name: (typeof pivotLaws)[number], residual: Residual): number[] {
  const mass = new Float64Array(residual.rows);
  const total = pivotMass(name, residual, mass);
  return Array.from(mass, (share) => share / total);
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  expect(found.length).toBe(wanted.length);
  found.forEach((value, at) => expect(value).toBeCloseTo(wanted[at]!, 14));
}

describe("the laws before the first pivot", () => {
  const residual = (): Residual => residualOf([0, Math.log(3), Math.log(4), 7], [1, 1, 1, 0]);

  test("exp is proportional to the diagonal of the exponential kernel", () => {
    expectClose(law("exp", residual()), [1 / 8, 3 / 8, 4 / 8, 0]);
  });
  test("gaussian and uniform see unit diagonals", () => {
    expectClose(law("gaussian", residual()), [1 / 3, 1 / 3, 1 / 3, 0]);
    expectClose(law("uniform", residual()), [1 / 3, 1 / 3, 1 / 3, 0]);
  });
  test("greedy takes the largest unmasked diagonal", () => {
    expectClose(law("greedy", residual()), [0, 0, 1, 0]);
  });
});

test("after a pivot, what the column explained is gone", () => {
  const residual = residualOf([0, 0, 0]);
  expect(eliminate(residual, 0, Float64Array.of(1, 0.5, 0))).toBe(true);
  expectClose(law("exp", residual), [0, 0.75 / 1.75, 1 / 1.75]);
  expectClose(law("uniform", residual), [0, 0.5, 0.5]);
});

test("a masked row never has probability, under any law", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          weight: fc.double({ min: -50, max: 50, noNaN: true }),
          present: fc.integer({ min: 0, max: 1 }),
        }),
        {
          minLength: 1,
          maxLength: 20,
        },
      ),
      fc.constantFrom(...pivotLaws),
      fc.boolean(),
      (rows, name, single) => {
        const residual = residualOf(
          rows.map((row) => row.weight),
          rows.map((row) => row.present),
          single,
        );
        const mass = new Float64Array(rows.length);
        const total = pivotMass(name, residual, mass);
        expect(total > 0).toBe(rows.some((row) => row.present === 1));
        rows.forEach((row, at) => {
          if (row.present === 0) expect(mass[at]).toBe(0);
        });
      },
    ),
  );
});

test("rows whose weights underflow beside a huge one get their turn when that one is used up", () => {
  const residual = residualOf([500, 1, 1], [1, 1, 1], true);
  expectClose(law("exp", residual), [1, 0, 0]);
  eliminate(residual, 0, Float32Array.of(1, 0, 0));
  expectClose(law("exp", residual), [0, 0.5, 0.5]);
});

test("rounding dust is no residual, under any law", () => {
  for (const name of pivotLaws) {
    const residual = residualOf([0, 0, 0], [1, 1, 1], true);
    residual.diagonal.set([4e-7, 0.5, 0]);
    expectClose(law(name, residual), [0, 1, 0]);
    residual.diagonal.set([4e-7, 0, 2e-7]);
    expect(pivotMass(name, residual, new Float64Array(3))).toBe(0);
  }
});

test("a repeated pivot is rejected and changes nothing else", () => {
  const residual = residualOf([0, 0, 0], [1, 1, 1], true);
  const column = Float32Array.of(1, 0.25, 0.125);
  expect(eliminate(residual, 0, column)).toBe(true);
  const before = residual.diagonal.slice();
  expect(eliminate(residual, 0, column)).toBe(false);
  expect(residual.rank).toBe(1);
  expect(residual.diagonal).toEqual(before);
});

test("a pivot with nothing but dust of its own is rejected, however large its column", () => {
  const residual = residualOf([0, 0, 0], [1, 1, 1], true);
  expect(eliminate(residual, 0, Float32Array.of(4e-7, 0.1, 0))).toBe(false);
  expect([residual.rank, ...residual.diagonal]).toEqual([0, 0, 1, 1]);
  expect(eliminate(residual, 1, Float32Array.of(0.1, 6e-7, 0))).toBe(true);
});

test("greedy takes the first of equals", () => {
  expectClose(law("greedy", residualOf([1, 2, 2, 2])), [0, 1, 0, 0]);
});

describe("drawing", () => {
  test("inverts the cumulated mass and never picks a row without any", () => {
    const mass = Float64Array.of(0, 1, 0, 2, 1, 0);
    const picks = [0, 0.24, 0.25, 0.74, 0.75, 1 - 2 ** -53].map((u) => pickPivot(mass, 4, u));
    expect(picks).toEqual([1, 1, 3, 3, 4, 4]);
    expect(pickPivot(mass, 4.000001, 1 - 2 ** -53)).toBe(4);
  });

  test("does not favour any position", () => {
    const rows = 50;
    const draws = 50_000;
    const mass = new Float64Array(rows).fill(0.37);
    const rng = generator("positions");
    const counts = new Float64Array(rows);
    for (let i = 0; i < draws; i++) counts[pickPivot(mass, 0.37 * rows, rng.uniform())]!++;
    const expected = draws / rows;
    const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(95);
    expect(chiSquare).toBeGreaterThan(20);
  });

  test("of many numbers from one law picks the same rows", () => {
    const shares = fc.oneof(
      fc.constant(0),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(1e-300, 1e9),
    );
    const uniforms = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
      minLength: 20,
    });
    const scales = fc.constantFrom(1, 1 + 2 ** -40, 1 - 2 ** -40);
    fc.assert(
      fc.property(
        fc.array(shares, { minLength: 1, maxLength: 40 }),
        uniforms,
        scales,
        (given, drawn, scale) => {
          const mass = Float64Array.from(given);
          const total = scale * mass.reduce((sum, share) => sum + share, 0);
          fc.pre(total > 0);
          const pick = pivotPicker(mass, total);
          const edges = Array.from({ length: 65 }, (_, i) => Math.min(i / 64, 1 - 2 ** -53));
          const all = [...drawn, ...edges, ...edges.map((edge) => Math.max(0, edge - 2 ** -53))];
          const wanted = all.map((uniform) => pickPivot(mass, total, uniform));
          expect(all.map(pick)).toEqual(wanted);
          expect([...pickPivots(mass, total, Float64Array.from(all))]).toEqual(wanted);
        },
      ),
    );
  });

  test("permuting the rows permutes the law", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 2, maxLength: 12 }),
        (weights) => {
          expectClose(
            law("exp", residualOf([...weights].reverse())).reverse(),
            law("exp", residualOf(weights)),
          );
        },
      ),
    );
  });
});
