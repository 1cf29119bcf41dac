import { expect, test } from "vitest";
import idea, { drift, towardsMean } from "../../examples/idea-from-scratch.js";
import { buildReport, planRun, runPlan } from "../../src/bench/index.js";
import { generator, randomNormal, type Tensor } from "../../src/index.js";
import { expectCorrectGradients, expectPreservedFunctionals } from "../../src/testing/index.js";
import { forAll, inputs } from "../../src/testing/arbitraries/index.js";

const change = (h: Tensor): Tensor => towardsMean(h, 0.7);

test("keeps the mean of any hidden state, and has the gradient of its formula", () => {
  forAll(inputs("(m,n)"), (xs) => {
    expectPreservedFunctionals(change, xs, { functionals: { mean: (h) => h.mean(-1) } });
    expectCorrectGradients(change, xs);
  });
});

test("its identity holds for every a; for a·h it does not", () => {
  for (const a of [0, 0.5, 1, -1]) expect(idea.checks({ a }, generator(1))[0]!.passed).toBe(true);
  const h = randomNormal(generator(2), [100, 64]);
  expect(drift(h, h.mul(0.5))).toBeGreaterThan(1e-3);
});

test("on the bench its claim holds on the trained models, where the control fails", async () => {
  const plan = planRun({ idea, preset: "quick", sizes: { trainSize: 16, testSize: 16 } });
  const { bench_report: bench } = buildReport(await runPlan(plan, { executor: "inline" }));
  expect(bench.mechanism.map(({ confirmed }) => confirmed)).toEqual([true, true]);
  expect(bench.verdicts.strict.verdict).toBe("inconclusive");
});
