import { expect, test } from "vitest";
import { buildReport, parseReport, serializeReport, verifyReport } from "../../../src/bench/report/index.js";
import { withValueAt } from "../../../src/bench/report/path.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";

const sizes = { trainSize: 8, testSize: 4, epochs: 1 };
const record = await runPlan(
  planRun({ idea: "residual-pivoted", preset: "quick", sizes, grid: { lr: [0.003], rank: [1, 2, 3] } }),
);
const report = buildReport(record);
const reread = parseReport(serializeReport(report), "report.json");

test("a report whose grid spans the rank holds: a rank in the sweep is not that of the mechanism", () => {
  expect(report.metrics.idea).toMatch(/Sweep means: lr=0\.003 rank=1 .*rank=2 .*rank=3 /);
  expect(verifyReport(reread).faults).toEqual([]);
});

test("the rank of the chosen configuration is still checked", () => {
  const text = report.metrics.idea;
  const altered = text.replace(/rank=\d(?=; mean)/, "rank=7");
  expect(altered).not.toBe(text);
  const { faults } = verifyReport(withValueAt(reread, "metrics.idea", altered));
  expect(faults.map(({ why }) => why).join()).toContain("quoted in the text");
});
