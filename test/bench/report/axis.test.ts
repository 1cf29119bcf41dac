import fc from "fast-check";
import { expect, test } from "vitest";
import { axisOver, plotWidth, textWidth, tickText } from "../../../src/bench/report/html/plots/axis.js";

const spread = fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 12 });

test("values lie in order on the axis, and labels of ticks neither touch nor leave the plot", () => {
  fc.assert(
    fc.property(spread, fc.boolean(), fc.integer({ min: 20, max: 160 }), (drawn, logarithmic, left) => {
      const values = logarithmic ? drawn.map((value) => Math.abs(value) + 1e-9) : drawn;
      const axis = axisOver(values, left, logarithmic);
      const places = [...values].sort((a, b) => a - b).map((value) => axis.place(value));
      places.forEach((place, at) => {
        expect(place).toBeGreaterThanOrEqual(left);
        expect(place).toBeLessThanOrEqual(axis.right);
        if (at > 0) expect(place).toBeGreaterThanOrEqual(places[at - 1]!);
      });
      axis.ticks.forEach((tick, at) => {
        const half = textWidth(tickText(tick)) / 2;
        expect(axis.place(tick) + half).toBeLessThanOrEqual(plotWidth);
        const before = axis.ticks[at - 1];
        if (before !== undefined)
          expect(axis.place(tick) - half).toBeGreaterThan(
            axis.place(before) + textWidth(tickText(before)) / 2,
          );
      });
    }),
  );
});

test("ticks are round numbers, powers of ten where the axis is logarithmic, and at even distances", () => {
  expect(axisOver([0.0028, 0.0122], 60).ticks).toEqual([0.004, 0.006, 0.008, 0.01, 0.012]);
  const wide = axisOver([1.5e-8, 1.71], 110, true).ticks.map(Math.log10);
  const steps = wide.slice(1).map((tick, at) => Math.round(tick - wide[at]!));
  expect(wide.length).toBeGreaterThan(2);
  expect(new Set(steps).size).toBe(1);
  expect(axisOver([NaN, Infinity], 20).ticks.length).toBeGreaterThan(1);
  expect(axisOver([3, 3], 20).place(3)).toBeCloseTo((20 + plotWidth - 14) / 2, 6);
});
