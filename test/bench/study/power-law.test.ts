import { expect, test } from "vitest";
import { crossing, fittedExponent, type CurvePoint } from "../../../src/bench/study/power-law.js";

const power = (factor: number, exponent: number, xs = [1, 2, 4, 8, 16]): CurvePoint[] =>
  xs.map((x) => [x, factor * x ** exponent]);

test("the exponent of a power law is found, whatever its factor, and what is not positive is left out", () => {
  expect(fittedExponent(power(3, 2))).toBeCloseTo(2, 12);
  expect(fittedExponent(power(0.1, -0.5))).toBeCloseTo(-0.5, 12);
  expect(fittedExponent([[0, 5], [32, 0], ...power(3, 2)])).toBeCloseTo(2, 12);
  expect(fittedExponent(power(3, 2, [7]))).toBeNaN();
  expect(fittedExponent([])).toBeNaN();
});

test("two power laws cross where their formulas say, between the points of the grid", () => {
  // 6x = x² at x = 6
  const found = crossing(power(6, 1), power(1, 2));
  expect(found).toEqual({ at: expect.closeTo(6, 10) as number });
});

test("a curve that is lower everywhere, or not at the end, does not cross", () => {
  expect(crossing(power(0.5, 1), power(1, 1))).toBe("before the first");
  expect(crossing(power(2, 1), power(1, 1))).toBe("not up to the last");
  expect(crossing(power(1, 1), power(1, 1))).toBe("not up to the last");
});

test("only the crossing after which it stays lower counts, and only common points", () => {
  const upper: CurvePoint[] = [1, 2, 4, 8].map((x) => [x, 1]);
  const lower: CurvePoint[] = [
    [1, 0.5],
    [2, 2],
    [3, 100],
    [4, 0.5],
    [8, 0.5],
  ];
  // Between 2 and 4 the ratio falls from 2 to 1/2: it is 1 in the geometric middle.
  expect(crossing(lower, upper)).toEqual({ at: expect.closeTo(2 * Math.SQRT2, 10) as number });
});
