import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bernsteinTail,
  halfWidths,
  standardScore,
} from "../../../src/ideas/residual-pivoted/evidence/sampling-interval.js";
import { generator } from "../../../src/random/index.js";
import { runs } from "../../runs.js";

const means = fc.record({
  draws: fc.integer({ min: 1, max: 100_000 }),
  mean: fc.double({ min: -1, max: 1, noNaN: true }),
  expected: fc.double({ min: -1, max: 1, noNaN: true }),
  variance: fc.double({ min: 1e-6, max: 1, noNaN: true }),
  range: fc.double({ min: 1e-3, max: 2, noNaN: true }),
});

test("a mean lies inside the interval of alpha exactly when its tail is at least alpha", () => {
  fc.assert(
    fc.property(means, fc.double({ min: 1e-12, max: 0.5, noNaN: true }), (sampled, alpha) => {
      const widths = halfWidths(sampled, 0, alpha);
      fc.pre(Math.abs(widths - 1) > 1e-9);
      expect(widths <= 1).toBe(bernsteinTail(sampled, 0) >= alpha);
    }),
    { numRuns: runs(500) },
  );
});

test("at the alpha of its tail a mean lies on the edge", () => {
  fc.assert(
    fc.property(means, (sampled) => {
      const alpha = bernsteinTail(sampled, 0);
      fc.pre(alpha > 1e-300 && alpha < 1);
      expect(halfWidths(sampled, 0, alpha)).toBeCloseTo(1, 9);
    }),
  );
});

test("the bound holds for a law so skewed that a normal interval fails", () => {
  const rng = generator("skewed");
  const [probability, draws, trials] = [0.002, 500, 4000];
  const variance = probability * (1 - probability);
  const tails: number[] = [];
  let outsideNormal = 0;
  for (let trial = 0; trial < trials; trial++) {
    let sum = 0;
    for (let i = 0; i < draws; i++) sum += rng.uniform() < probability ? 1 : 0;
    const sampled = { draws, mean: sum / draws, expected: probability, variance, range: 1 - probability };
    tails.push(bernsteinTail(sampled, 0));
    if (Math.abs(standardScore(sampled)) > 3.29) outsideNormal++;
  }
  for (const alpha of [0.2, 0.05, 0.01, 0.001]) {
    expect(tails.filter((tail) => tail < alpha).length / trials).toBeLessThanOrEqual(alpha);
  }
  expect(outsideNormal / trials).toBeGreaterThan(2 * 0.001);
});

test("what the arithmetic may be off by is no evidence", () => {
  const exact = { draws: 20_000, mean: 0.5 + 1e-7, expected: 0.5, variance: 0, range: 0 };
  expect(bernsteinTail(exact, 1e-6)).toBe(1);
  expect(halfWidths(exact, 1e-6, 0.01)).toBe(0);
  expect(bernsteinTail(exact, 1e-8)).toBe(0);
  expect(halfWidths(exact, 1e-8, 0.01)).toBe(Infinity);
});

test("the score counts standard errors", () => {
  const sampled = { draws: 100, mean: 1.2, expected: 1, variance: 4, range: 9 };
  expect(standardScore(sampled)).toBeCloseTo(1, 14);
  expect(standardScore({ ...sampled, mean: 1, variance: 0 })).toBe(0);
});
