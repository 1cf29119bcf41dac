import { expect, test } from "vitest";
import { add } from "../../../src/autograd/index.js";
import { digestsOf } from "../../../src/bench/report/digests.js";
import { buildReport, parseReport, serializeReport, verifyReport } from "../../../src/bench/report/index.js";
import { reportMarkdown, reportPage, reportView, signed } from "../../../src/bench/report/index.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import type { Idea } from "../../../src/ideas/index.js";
import { exampleIdea } from "./example-idea.js";

const sizes = { trainSize: 4, validationSize: 3, testSize: 3, epochs: 1 };
const summarize: Idea["summarize"] = (checks) => ({
  mechanism: { predicted: "> 0", observed: 1, confirmed: true },
  mathematics: { passed: checks.every(({ passed }) => passed) },
  confirmed: true,
});
/** A model whose state is shifted beyond all use is worse on every seed. */
const harmful = exampleIdea({ change: () => ({ hidden: (hidden) => add(hidden, 30) }), summarize });
const nothing = exampleIdea({ summarize });
const planOf = (idea: Idea, most: number) =>
  planRun({
    idea,
    preset: "standard",
    tuningSeeds: 2,
    sizes,
    grid: { lr: [0.001, 0.003] },
    sequential: { start: 5, step: 2, most },
  });

const reportOf = async (idea: Idea, most = 9) => {
  const report = buildReport(await runPlan(planOf(idea, most)));
  const read = parseReport(serializeReport(report), "report.json");
  expect(verifyReport(read).faults).toEqual([]);
  return report;
};

test("a run whose evidence suffices ends before the most seeds, and says so", async () => {
  const report = await reportOf(harmful, 21);
  const { sequential, protocol, verdicts, cells } = report.bench_report;
  expect(protocol.sequential).toEqual({ start: 5, step: 2, most: 21 });
  expect(sequential!.stopped).toBe("evidence");
  expect(protocol.seeds).toHaveLength(sequential!.looks.at(-1)!.pairs);
  expect(protocol.seeds.length).toBeLessThan(21);
  expect(cells.filter(({ evaluated }) => evaluated === "test")).toHaveLength(2 * protocol.seeds.length);
  expect(verdicts.strict.reasons.join()).toMatch(/anytime-valid e-process p = .* is below 0\.05/);
  expect(report.verdict).toContain("5 first, 2 at a time, 21 at most");
  expect(report.verdict).toContain("E reached 1/alpha");
  const [low, high] = sequential!.interval!;
  expect(low).toBeGreaterThan(0);
  expect(high).toBeGreaterThan(report.bench_report.comparison.delta_mean);
  expect(report.verdict).toContain(
    `with the looks accounted for the difference lies from ${signed(low)} to ${signed(high)}`,
  );
  const view = reportView(report, "bench_report.json");
  const page = reportPage(view);
  expect(page).toMatch(
    /<section id="sequential"[^]*5 seeds first, 2 at a time, 21 at most[^]*id="evidence-plot"/,
  );
  expect(page).toContain("do not account for the looks at the evidence: they are too sure");
  expect(reportMarkdown(view)).toContain("| interval that accounts for the looks | +");
}, 30_000);

test("a run without evidence goes on to the most seeds", async () => {
  const { sequential, protocol } = (await reportOf(nothing)).bench_report;
  expect(sequential!.looks.map(({ pairs }) => pairs)).toEqual([5, 7, 9]);
  expect(sequential).toMatchObject({ stopped: "most", p_value: 1, interval: [0, 0] });
  expect(protocol.seeds).toHaveLength(9);
}, 30_000);

test("another plan, or another path of the evidence, does not hold", async () => {
  const { bench_report: bench, ...statement } = await reportOf(nothing);
  const forged = (changed: object): string[] => {
    const kept = Object.entries({ ...bench, ...changed }).filter(([, value]) => value !== undefined);
    const inner = Object.fromEntries(kept) as unknown as typeof bench;
    const whole = { ...statement, bench_report: { ...inner, digests: digestsOf(statement, inner) } };
    return verifyReport(whole).faults.map(({ path }) => path);
  };
  const { looks } = bench.sequential!;
  expect(forged({ sequential: { ...bench.sequential, looks: looks.slice(1) } }).join()).toContain(
    "sequential.looks",
  );
  expect(forged({ sequential: { ...bench.sequential, interval: [-1, 1] } }).join()).toContain(
    "sequential.interval",
  );
  expect(forged({ sequential: undefined }).join()).toContain("sequential");
  const other = { ...bench.protocol, sequential: { start: 6, step: 1, most: 9 } };
  expect(forged({ protocol: other }).join()).toContain("sequential");
}, 30_000);

test.each([
  [{ preset: "seed" }, /E_PLAN: the preset 'seed' chooses the configuration on its final models/],
  [{ seeds: 9 }, /E_PLAN: a sequential plan says how many seeds there are/],
  [{ comparisons: 2 }, /E_PLAN: a sequential plan is for one comparison/],
])("%j beside a sequential plan is refused", (request, message) => {
  expect(() => planRun({ idea: nothing, sequential: { start: 5, step: 2, most: 9 }, ...request })).toThrow(
    message,
  );
});
