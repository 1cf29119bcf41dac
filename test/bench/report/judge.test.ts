import { expect, test } from "vitest";
import type { Claim } from "../../../src/ideas/index.js";
import { buildReport } from "../../../src/bench/report/index.js";
import { sampleRun } from "./sample-run.js";

/** Whether the mechanism stands when the control of each quantity was refuted on so many of 8 trained models. */
function stands(
  refutedOn: Readonly<Record<string, number>>,
  where: Claim["where"] = "trained model",
): boolean {
  const run = sampleRun();
  const signatures = run.signatures.map(({ seed, signature }) => ({
    seed,
    signature: {
      ...signature,
      claims: Object.entries(refutedOn).map(([quantity, models]) => ({
        ...signature.claims[0],
        quantity,
        where,
        control: { ...signature.claims[0].control, refuted: seed < models },
      })),
    },
  }));
  return buildReport({ ...run, signatures }).bench_report.verdicts.strict.mechanism_stands;
}

test("a control is refuted when it is on more than half of the trained models", () => {
  expect([8, 5, 4, 3, 0].map((models) => stands({ residual: models }))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("each quantity needs a control of its own that is refuted", () => {
  expect(stands({ residual: 5, trace: 5 })).toBe(true);
  expect(stands({ residual: 8, trace: 4 })).toBe(false);
});

test("a control that was refuted on random inputs says nothing of the trained model", () => {
  expect(stands({ residual: 8 }, "random inputs")).toBe(false);
});
