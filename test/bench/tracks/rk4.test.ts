import { expect, test } from "vitest";
import { rungeKutta4 } from "../../../src/bench/tracks/rk4.js";

/** The error at t = 2 of x'' = −x from (1, 0), whose solution is cos t. */
function errorWithStep(h: number): number {
  const advance = rungeKutta4((state, rate) => {
    rate[0] = state[1];
    rate[1] = -state[0];
  }, 2);
  const state = Float64Array.of(1, 0);
  for (let i = 0; i < Math.round(2 / h); i++) advance(state, h);
  return Math.hypot(state[0] - Math.cos(2), state[1] + Math.sin(2));
}

test("halving the step divides the error by 2⁴", () => {
  for (const h of [0.1, 0.05, 0.025]) {
    const order = Math.log2(errorWithStep(h) / errorWithStep(h / 2));
    expect(order).toBeGreaterThan(3.9);
    expect(order).toBeLessThan(4.1);
  }
});

test("a cubic in time is integrated without error", () => {
  const advance = rungeKutta4((state, rate) => {
    rate[0] = 1;
    rate[1] = 3 * state[0] * state[0];
  }, 2);
  const state = Float64Array.of(0, 0);
  advance(state, 0.5);
  expect(state[1]).toBe(0.125);
});
