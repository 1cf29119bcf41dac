import fc from "fast-check";
import { expect, test } from "vitest";
import { oscillatorPair, pairEnergy } from "../../../src/bench/tracks/oscillator-pair.js";
import { rungeKutta4 } from "../../../src/bench/tracks/rk4.js";

const number = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true });
const start = fc.tuple(number(-2, 2), number(-2, 2), number(-1, 1), number(-1, 1));
const coupling = number(0.1, 0.6);

test("friction takes energy away at every reading", () => {
  fc.assert(
    fc.property(start, coupling, (initial, c) => {
      const state = Float64Array.from(initial);
      fc.pre(pairEnergy(state, c) > 1e-3);
      const advance = rungeKutta4(oscillatorPair(c), 4);
      let energy = pairEnergy(state, c);
      for (let reading = 0; reading < 36; reading++) {
        advance(state, 0.075);
        advance(state, 0.075);
        const now = pairEnergy(state, c);
        expect(now).toBeLessThan(energy * (1 + 1e-5));
        energy = now;
      }
      expect(energy).toBeLessThan(0.95 * pairEnergy(Float64Array.from(initial), c));
    }),
  );
});

test("the energy falls at the rate 0.05 (x1'² + x2'²)", () => {
  fc.assert(
    fc.property(start, coupling, (initial, c) => {
      const state = Float64Array.from(initial);
      const rate = new Float64Array(4);
      oscillatorPair(c)(state, rate);
      const h = 1e-6;
      const moved = (sign: number) => state.map((value, i) => value + sign * h * rate[i]);
      const slope = (pairEnergy(moved(1), c) - pairEnergy(moved(-1), c)) / (2 * h);
      expect(slope).toBeCloseTo(-0.05 * (state[2] ** 2 + state[3] ** 2), 6);
    }),
  );
});

test("without friction the energy stays", () => {
  const state = Float64Array.of(1.5, -0.5, 0.2, 0.7);
  const advance = rungeKutta4(oscillatorPair(0.3, 0), 4);
  const before = pairEnergy(state, 0.3);
  for (let i = 0; i < 1000; i++) advance(state, 0.01);
  expect(Math.abs(pairEnergy(state, 0.3) - before)).toBeLessThan(1e-7 * before);
});

test("the two oscillators may be exchanged", () => {
  const [a, b] = [Float64Array.of(1, -0.5, 0.25, 0.75), Float64Array.of(-0.5, 1, 0.75, 0.25)];
  const advance = rungeKutta4(oscillatorPair(0.5), 4);
  for (let i = 0; i < 50; i++) {
    advance(a, 0.075);
    advance(b, 0.075);
  }
  expect([b[1], b[0], b[3], b[2]]).toEqual([...a]);
});
