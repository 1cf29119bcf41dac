import { describe, expect, test } from "vitest";
import { zeros } from "../../../src/autograd/index.js";
import type { TrainedModel } from "../../../src/ideas/idea.js";
import { exactClaim, sampledClaim, withheld } from "../../../src/ideas/residual-pivoted/evidence/claims.js";
import { bernsteinTail, halfWidths } from "../../../src/ideas/residual-pivoted/evidence/sampling-interval.js";
import {
  checksAlpha,
  claimsAlpha,
  familyAlpha,
  familyModels,
} from "../../../src/ideas/residual-pivoted/evidence/tolerances.js";
import type { TraceCell } from "../../../src/ideas/residual-pivoted/evidence/trace-identity.js";
import { residualPivoted } from "../../../src/ideas/residual-pivoted/index.js";
import { generator } from "../../../src/random/index.js";

const good = { largestError: 1e-9, largestUniformError: 1e-2 };

describe("the exact claim", () => {
  test.each([
    ["the idea", good, true, true],
    ["an idea that errs", { ...good, largestError: 1e-5 }, false, true],
    ["a control as good as the idea", { ...good, largestUniformError: good.largestError }, true, false],
    ["an idea that is NaN", { ...good, largestError: NaN }, false, true],
    ["a control that is NaN", { ...good, largestUniformError: NaN }, true, false],
  ])("of %s", (_, figures, held, refuted) => {
    expect(exactClaim(figures, 1e-6)).toMatchObject({ held, control: { refuted } });
  });
});

/** A cell whose sampled means lie so many standard errors from what they should be. */
function cellAt(sampled: number, uniform: number): TraceCell {
  const spread = { draws: 20_000, expected: 0.5, variance: 0.01, range: 0.2 };
  const mean = (scores: number): number => 0.5 + scores * Math.sqrt(0.01 / 20_000);
  return {
    rank: 0,
    remaining: 1,
    predicted: 0.5,
    expected: 0.5,
    uniform: 0.5,
    sampled: { ...spread, mean: mean(sampled) },
    sampledUniform: { ...spread, mean: mean(uniform) },
  };
}

describe("the sampled claim", () => {
  test.each([
    ["the idea", 1, 30, true, true],
    ["a mean that is too large", 30, 30, false, true],
    ["a mean that is too small", -30, 30, false, true],
    ["a control as good as the idea", 1, 1, true, false],
    ["a mean that is NaN", NaN, 30, false, true],
    ["a control that is NaN", 1, NaN, true, false],
  ])("of %s", (_, sampled, uniform, held, refuted) => {
    const cells = [cellAt(0.3, 0.2), cellAt(sampled, uniform), cellAt(-0.4, 0.1)];
    expect(sampledClaim(cells, 1e-6)).toMatchObject({ held, control: { refuted } });
  });

  test("is at the edge of its interval where Bernstein's bound is its share of the error", () => {
    const cells = Array.from({ length: 40 }, () => cellAt(5, 5));
    const share = claimsAlpha / (familyModels * cells.length);
    const { observed } = sampledClaim(cells, 0);
    expect(observed).toBe(halfWidths(cells[0]!.sampled!, 0, share));
    const distance = cells[0]!.sampled!.mean - 0.5;
    const edge = { ...cells[0]!.sampled!, mean: 0.5 + distance / observed };
    expect(bernsteinTail(edge, 0)).toBeCloseTo(share, 12);
  });
});

test("checks and claims share the family-wise error", () => {
  expect(checksAlpha + claimsAlpha).toBe(familyAlpha);
  expect(familyAlpha).toBe(0.01);
});

test("a claim that is withheld is its old self, not held, with the reason", () => {
  const claim = exactClaim(good, 1e-6);
  expect(withheld(claim, "it is late")).toEqual({
    ...claim,
    held: false,
    statement: `${claim.statement}; not held because it is late`,
  });
});

test("a model on which uniform pivots are as good as the idea confirms nothing", () => {
  const x = zeros([2, 1, 6, 4], { dtype: "float32" });
  const flat: TrainedModel = {
    hiddenStates: () => [],
    attentionInputs: () => [{ layer: 0, q: x, k: x, v: x.add(1) }],
  };
  const { claims, confirmed } = residualPivoted.measure(flat, residualPivoted.options, generator(1));
  expect(claims).toHaveLength(2);
  expect(claims.map(({ held }) => held)).toEqual([true, true]);
  expect(claims.map(({ control }) => control.refuted)).toEqual([false, false]);
  expect(confirmed).toBe(false);
});
