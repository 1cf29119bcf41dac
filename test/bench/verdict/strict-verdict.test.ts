import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { strictVerdict, type Cap, type StrictEvidence } from "../../../src/bench/verdict/index.js";

const usual: StrictEvidence = {
  alpha: 0.05,
  margin: 0.1,
  marginPct: 5,
  pValue: 0.01,
  method: "exact",
  improvement: 0.3,
  interval: [-0.5, -0.2],
  tostP: 0.9,
  seeds: 16,
  neededSeeds: 40,
  diverged: { baseline: 0, idea: 0 },
  caps: [],
  mathPassed: true,
  claimHeld: true,
  control: "refuted",
};

const cap: Cap = { code: "grid-edge", text: "the best learning rate lies at an end of the grid" };

describe("the strict verdict", () => {
  test.each([
    ["capped comes before everything", { caps: [cap] }, "inconclusive", "inconclusive"],
    ["so does a diverged seed", { diverged: { baseline: 0, idea: 1 } }, "inconclusive", "inconclusive"],
    ["diverged in both arms", { diverged: { baseline: 2, idea: 2 } }, "inconclusive", "inconclusive"],
    ["significant but inside the margin", { interval: [-0.09, -0.02] }, "trivial", "partial"],
    ["significant gain", {}, "worked", "worked"],
    ["significant loss", { improvement: -0.3, interval: [0.2, 0.5] }, "harmful", "partial"],
    ["not significant but equivalent", { pValue: 0.5, tostP: 0.01 }, "no_effect", "partial"],
    ["neither", { pValue: 0.5, tostP: 0.2 }, "inconclusive", "inconclusive"],
    ["a gain whose control was not refuted", { control: "not refuted" }, "worked", "partial"],
    ["a gain whose control is not reported", { control: "not reported" }, "worked", "partial"],
    ["a gain whose claim failed", { claimHeld: false }, "worked", "partial"],
    ["a gain whose mathematics failed", { mathPassed: false }, "worked", "partial"],
    ["a loss whose claim failed", { improvement: -1, claimHeld: false }, "harmful", "failed"],
  ] as const)("%s", (_, evidence, verdict, system) => {
    expect(strictVerdict({ ...usual, ...evidence })).toMatchObject({ verdict, system_verdict: system });
  });

  test.each([
    ["worked", {}],
    ["harmful", { improvement: -0.3, interval: [0.2, 0.5] }],
  ] as const)(
    "a cap that spares %s caps another verdict, and is a note beside that one",
    (spares, evidence) => {
      const sparing: Cap = { ...cap, spares };
      const spared = strictVerdict({ ...usual, ...evidence, caps: [sparing] });
      expect(spared).toMatchObject({ verdict: spares, caps: [] });
      expect(spared.reasons[0]).toBe(
        `${cap.text}; that can only have hindered the verdict, and caps nothing`,
      );
      const other = { ...cap, spares: spares === "worked" ? ("harmful" as const) : ("worked" as const) };
      expect(strictVerdict({ ...usual, ...evidence, caps: [other] })).toMatchObject({
        verdict: "inconclusive",
        caps: [cap],
      });
      const none = strictVerdict({ ...usual, pValue: 0.5, tostP: 0.01, caps: [sparing] });
      expect(none.verdict).toBe("inconclusive");
      expect(none.caps).toEqual([cap]);
    },
  );

  test("an interval that touches the margin is not inside it", () => {
    expect(strictVerdict({ ...usual, interval: [-0.1, -0.02] }).verdict).toBe("worked");
    expect(strictVerdict({ ...usual, improvement: -1, interval: [0.02, 0.1] }).verdict).toBe("harmful");
  });

  test("without an interval a significant difference is not called trivial", () => {
    expect(strictVerdict({ ...usual, interval: undefined }).verdict).toBe("worked");
  });

  test("only an inconclusive verdict names the seeds that would settle it", () => {
    expect(strictVerdict(usual)).not.toHaveProperty("needed_seeds");
    const open = strictVerdict({ ...usual, pValue: 0.5 });
    expect(open.needed_seeds).toBe(40);
    expect(open.reasons.at(-1)).toBe("40 paired seeds would show a difference of 5 % with 80 % power");
    expect(strictVerdict({ ...usual, pValue: 0.5, neededSeeds: undefined })).not.toHaveProperty(
      "needed_seeds",
    );
  });

  test("a cap is never overruled, and its reason comes first", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1 }),
        fc.double({ min: 0, max: 1 }),
        fc.double({ noNaN: true }),
        (p, q, gain) => {
          const verdict = strictVerdict({ ...usual, pValue: p, tostP: q, improvement: gain, caps: [cap] });
          expect(verdict).toMatchObject({ verdict: "inconclusive", rule: "capped", caps: [cap] });
          expect(verdict.reasons[0]).toBe(cap.text);
        },
      ),
    );
  });

  test("the system worked only where the verdict is worked and the mechanism stands", () => {
    fc.assert(
      fc.property(
        fc.record({
          pValue: fc.double({ min: 0, max: 1 }),
          tostP: fc.double({ min: 0, max: 1 }),
          improvement: fc.double({ noNaN: true }),
          mathPassed: fc.boolean(),
          claimHeld: fc.boolean(),
          control: fc.constantFrom("refuted", "not refuted", "not reported"),
        } as const),
        (evidence) => {
          const { verdict, system_verdict, mechanism_stands } = strictVerdict({ ...usual, ...evidence });
          const all = evidence.mathPassed && evidence.claimHeld && evidence.control === "refuted";
          expect(mechanism_stands).toBe(all);
          expect(system_verdict === "worked").toBe(verdict === "worked" && all);
        },
      ),
    );
  });
});
