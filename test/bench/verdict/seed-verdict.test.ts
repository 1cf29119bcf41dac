import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { seedVerdict, type SeedEvidence } from "../../../src/bench/verdict/index.js";

const usual: SeedEvidence = {
  quick: false,
  pValue: 0.4,
  improvement: 1,
  mdeRelPct: 30,
  mechanismConfirmed: true,
  mathPassed: true,
};

/** The table of the two reports' rules: what is so, then worked, system, practical and mechanism_ok. */
const rows = [
  [{ pValue: 0.01, improvement: 1 }, true, "significant win", "worked", "worked", 1],
  [
    { pValue: 0.01, improvement: 1, mechanismConfirmed: false },
    true,
    "significant win",
    "partial",
    "worked",
    0,
  ],
  [{ pValue: 0.01, improvement: -1 }, false, "no significant win", "partial", "harmful", 1],
  [
    { pValue: 0.01, improvement: -1, mechanismConfirmed: false },
    false,
    "no significant win",
    "failed",
    "harmful",
    0,
  ],
  [{ mdeRelPct: 20 }, false, "no significant win", "partial", "no_effect", 1],
  [{ mdeRelPct: 20.1 }, false, "no significant win", "partial", "inconclusive", 1],
  [{ mdeRelPct: 20, mechanismConfirmed: false }, false, "no significant win", "failed", "no_effect", 0],
  [{ mdeRelPct: 20.1, mechanismConfirmed: false }, false, "no significant win", "failed", "inconclusive", 0],
] as const;

describe("the verdict of the reports", () => {
  test.each(rows)("%j", (evidence, worked, comparison, system, practical, mechanism) => {
    expect(seedVerdict({ ...usual, ...evidence })).toMatchObject({
      profile: "seed-v1",
      worked,
      comparison_verdict: comparison,
      system_verdict: system,
      practical_verdict: practical,
      mechanism_ok: mechanism,
    });
  });

  test("a p-value of exactly α is not significant", () => {
    expect(seedVerdict({ ...usual, pValue: 0.05 }).worked).toBe(false);
    expect(seedVerdict({ ...usual, pValue: 0.0499 }).worked).toBe(true);
  });

  test("a failed mathematical check counts as a mechanism that was not confirmed", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1 }),
        fc.double({ noNaN: true }),
        fc.double({ min: 0 }),
        (p, gain, mde) => {
          const evidence = { ...usual, pValue: p, improvement: gain, mdeRelPct: mde };
          const failed = { ...seedVerdict({ ...evidence, mathPassed: false }), reasons: [] };
          const refuted = { ...seedVerdict({ ...evidence, mechanismConfirmed: false }), reasons: [] };
          expect(failed).toEqual(refuted);
          expect(failed.mechanism_ok).toBe(0);
          expect(failed.system_verdict).not.toBe("worked");
        },
      ),
    );
  });

  test("a comparison that cannot be made is neither a win nor an absence of effect", () => {
    expect(seedVerdict({ ...usual, pValue: NaN, improvement: NaN, mdeRelPct: NaN })).toMatchObject({
      worked: false,
      practical_verdict: "inconclusive",
    });
  });

  test("a smoke run gives none, whatever its numbers are", () => {
    for (const improvement of [1, -1]) {
      expect(seedVerdict({ ...usual, quick: true, pValue: 1e-6, improvement, mdeRelPct: 1 })).toMatchObject({
        worked: false,
        comparison_verdict: "no significant win",
        system_verdict: "inconclusive",
        practical_verdict: "inconclusive",
        mechanism_ok: 1,
        rule: "a smoke run gives no verdict",
      });
    }
  });

  test("a partial report gives none either", () => {
    expect(seedVerdict({ ...usual, partial: true, pValue: 1e-6, improvement: 1 })).toMatchObject({
      worked: false,
      system_verdict: "inconclusive",
      practical_verdict: "inconclusive",
      rule: "a partial report gives no verdict",
      reasons: ["not all planned seeds are there, and a look before the end of a run is no test"],
    });
  });

  test("the rule and the reasons say what decided", () => {
    const { rule, reasons } = seedVerdict({ ...usual, mdeRelPct: 14.3 });
    expect(rule).toBe("not significant, mde_rel_pct at most 20, mechanism confirmed");
    expect(reasons).toContain("p = 0.4 is not below 0.05");
  });
});
