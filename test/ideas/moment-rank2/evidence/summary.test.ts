import { describe, expect, it } from "vitest";
import type { Signature } from "../../../../src/ideas/idea.js";
import { momentRank2Checks } from "../../../../src/ideas/moment-rank2/evidence/checks.js";
import { measureMomentRank2 } from "../../../../src/ideas/moment-rank2/evidence/measure.js";
import { summarizeMomentRank2 } from "../../../../src/ideas/moment-rank2/evidence/summary.js";
import { completeSettings } from "../../../../src/ideas/moment-rank2/settings.js";
import { generator } from "../../../../src/random/index.js";
import { someStates } from "../some-states.js";

const settings = completeSettings({});
const checks = momentRank2Checks(settings, generator(1));
const failing = checks.map((check, at) => (at === 0 ? { ...check, passed: false } : check));

function signatureOf(count: number): Signature {
  return measureMomentRank2({ hiddenStates: () => someStates(count), attentionInputs: () => [] }, settings);
}

function seeded(...signatures: Signature[]): { seed: number; signature: Signature }[] {
  return signatures.map((signature, seed) => ({ seed, signature }));
}

describe("summarizeMomentRank2", () => {
  const good = signatureOf(1);
  const bad = { ...good, confirmed: false };

  it.each([
    { what: "checks and claims", own: checks, signatures: [good, good], passed: true, held: true },
    {
      what: "checks, not every model's claims",
      own: checks,
      signatures: [good, bad],
      passed: true,
      held: false,
    },
    { what: "claims, not every check", own: failing, signatures: [good, good], passed: false, held: true },
    { what: "neither", own: failing, signatures: [bad], passed: false, held: false },
    { what: "claims without a check", own: [], signatures: [good], passed: false, held: true },
    { what: "checks without a model", own: checks, signatures: [], passed: true, held: false },
  ])("confirms only where both hold: $what", ({ own, signatures, passed, held }) => {
    const confirmed = passed && held;
    expect(summarizeMomentRank2(own, seeded(...signatures))).toMatchObject({
      confirmed,
      mathematics: { passed },
      mechanism: { confirmed, trained_model: { confirmed } },
    });
  });

  it("prints the names of the reports, with null for figures of no model", () => {
    const residual = checks.find(({ name }) => name === "max_moment_residual")!.observed;
    const { mechanism, mathematics } = summarizeMomentRank2(checks, []);
    expect(mathematics).toEqual({ max_moment_residual: residual, passed: true });
    expect(mechanism).toEqual({
      math_check_max_moment_residual: residual,
      predicted: expect.any(String),
      observed: expect.any(String),
      confirmed: false,
      trained_model: {
        target: "hidden moments",
        predicted_residual: 0,
        moment_residual: null,
        observed_residual: null,
        confirmed: false,
      },
    });
  });

  it("takes the worst residual, control and size over the seeds, and the mean of norms and shares", () => {
    const figures = (factor: number, states: number): Signature => ({
      ...good,
      figures: {
        states,
        raw_norm: 10 * factor,
        state_norm: 2 * factor,
        compressed_relative_error: 0.1 * factor,
        plain_relative_error: 0.2 * factor,
        moment_share: 0.05 * factor,
        moment_residual: 1e-7 * factor,
        plain_moment_drift: 0.5 * factor,
        true_rank: factor,
        stored_numbers: 36,
        state_numbers: 64,
        clip_rate: 0.25 * factor,
      },
    });
    const { mechanism } = summarizeMomentRank2(checks, seeded(figures(3, 10), figures(1, 90)));
    expect(mechanism.trained_model).toEqual({
      raw_norm: 20,
      state_norm: 4,
      compressed_relative_error: expect.closeTo(0.2, 12),
      plain_relative_error: expect.closeTo(0.4, 12),
      moment_share: expect.closeTo(0.1, 12),
      clip_rate: 0.5,
      moment_residual: expect.closeTo(3e-7, 20),
      observed_residual: expect.closeTo(3e-7, 20),
      residual_tolerance: 5e-7,
      predicted_residual: 0,
      plain_moment_drift: 0.5,
      true_rank: 3,
      stored_numbers: 36,
      state_numbers: 64,
      target: "hidden moments",
      confirmed: true,
    });
  });
});
