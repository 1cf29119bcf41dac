import fc from "fast-check";
import { expect, test } from "vitest";
import {
  mackeyGlass,
  mackeyGlassRate,
  STEP,
  STEPS_PER_UNIT,
} from "../../../src/bench/tracks/mackey-glass.js";

const delay = fc.integer({ min: 15, max: 23 });

test("1 and 0 are fixed points: 0.2/(1 + 1) = 0.1", () => {
  fc.assert(
    fc.property(delay, (tau) => {
      expect(mackeyGlass(tau, 1, 2000).every((x) => x === 1)).toBe(true);
      expect(mackeyGlass(tau, 0, 2000).every((x) => x === 0)).toBe(true);
    }),
  );
  expect(mackeyGlassRate(1, 1)).toBe(0);
});

test("each step is an Euler step with the value a delay ago", () => {
  fc.assert(
    fc.property(delay, fc.double({ min: 0.5, max: 1.5, noNaN: true }), (tau, history) => {
      const x = mackeyGlass(tau, history, 400);
      expect(x[0]).toBe(history);
      const lag = tau * STEPS_PER_UNIT;
      for (const i of [0, 1, lag - 1, lag, lag + 1, 399]) {
        const delayed = i >= lag ? x[i - lag] : history;
        const rate = (0.2 * delayed) / (1 + delayed ** 10) - 0.1 * x[i];
        expect(x[i + 1]).toBeCloseTo(x[i] + STEP * rate, 14);
      }
    }),
  );
});

test("within the first delay a tiny history h gives x = 2h − h (1 − 0.1·step)^k after k steps", () => {
  const x = mackeyGlass(20, 1e-300, STEPS_PER_UNIT * 10);
  expect(x.at(-1)! / 1e-300).toBeCloseTo(2 - (1 - 0.1 * STEP) ** (10 * STEPS_PER_UNIT), 10);
});

test("is bounded and chaotic at τ = 17: two near histories part", () => {
  const a = mackeyGlass(17, 1.2, 8000);
  const b = mackeyGlass(17, 1.2 + 1e-9, 8000);
  expect(Math.max(...a)).toBeLessThan(1.6);
  expect(Math.min(...a.subarray(800))).toBeGreaterThan(0.2);
  const apart = Math.max(...a.subarray(7000).map((value, i) => Math.abs(value - b[7000 + i])));
  expect(apart).toBeGreaterThan(1e-6);
});
