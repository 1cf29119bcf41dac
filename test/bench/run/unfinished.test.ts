import { expect, test } from "vitest";
import { mul } from "../../../src/autograd/index.js";
import { GradstandError, type ErrorCode } from "../../../src/errors/index.js";
import { inlineExecutor, type Executor, type Task } from "../../../src/bench/executors/index.js";
import { buildReport, parseReport, serializeReport, verifyReport } from "../../../src/bench/report/index.js";
import { cellsCsv, reportMarkdown, reportPage, reportView } from "../../../src/bench/report/index.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import type { Progress } from "../../../src/bench/run/progress.js";
import { memoryStore } from "../../../src/bench/store/index.js";
import { exampleIdea } from "./example-idea.js";
import type { ReportV2 } from "../../../src/bench/report/index.js";

type Failure = (task: Task) => ErrorCode | undefined;

/** Does tasks in this thread, but for those that fail with a code. */
function failing(failure: Failure, tried: Task[] = []): Executor {
  const inline = inlineExecutor(new Map([[idea.name, idea]]));
  const run: Executor["run"] = async (task, hooks) => {
    tried.push(task);
    const code = failure(task);
    if (code !== undefined) throw new GradstandError(code, `the ${task.kind} came to grief`);
    return inline.run(task, hooks);
  };
  return { ...inline, run };
}

const idea = exampleIdea({
  change: () => ({ hidden: (hidden) => mul(hidden, 0.5) }),
  summarize: (_checks, signatures) => ({
    mechanism: { predicted: "> 0", observed: signatures.length, confirmed: true },
    mathematics: { passed: true },
    confirmed: true,
  }),
});
const plan = planRun({
  idea,
  preset: "standard",
  seeds: 6,
  tuningSeeds: 1,
  sizes: { trainSize: 8, validationSize: 4, testSize: 4, epochs: 1 },
  grid: { lr: [0.001, 0.01, 0.1] },
});

const trains = (arm: string, seed: number, part: string) => (task: Task) =>
  task.kind === "train" && task.spec.arm === arm && task.spec.seed === seed && task.spec.evaluate === part;
/** The run without any fault. */
const whole = await runPlan(plan, { executor: failing(() => undefined) });
const [tuningSeed] = plan.protocol.sweepSeeds.idea;

/** The report as it is read from its file, which must hold. */
function reportOf(run: Parameters<typeof buildReport>[0]): ReportV2 {
  const report = parseReport(serializeReport({ ...buildReport(run) }), "report") as ReportV2;
  expect(verifyReport(report).faults).toEqual([]);
  return report;
}

test("a cell that runs into its time-out, or whose worker dies, stands in the report, caps the verdict, and is tried again", async () => {
  const events: Progress[] = [];
  const store = memoryStore();
  const lost = trains("idea", 2, "test");
  const first = await runPlan(plan, {
    store,
    executor: failing((task) =>
      lost(task)
        ? "E_TIMEOUT"
        : trains("baseline", 3, "test")(task) || (task.kind === "measure" && task.spec.trained.seed === 4)
          ? "E_CRASH"
          : undefined,
    ),
    onProgress: (progress) => events.push(progress),
  });
  const report = reportOf(first);
  const { cells, unmeasured, verdicts, idea: arm, baseline, comparison, n_seeds } = report.bench_report;
  expect(
    cells
      .filter(({ status }) => status !== "ok")
      .map(({ arm, seed, status, reason, metric, parameters, steps, curve }) => [
        [arm, seed, status, reason],
        [metric, parameters, steps, curve],
      ]),
  ).toEqual([
    [
      ["baseline", "3", "failed", "the train came to grief"],
      [NaN, NaN, 0, []],
    ],
    [
      ["idea", "2", "timeout", "the train came to grief"],
      [NaN, NaN, 0, []],
    ],
  ]);
  expect(unmeasured).toEqual([{ seed: "4", status: "failed", reason: "the measure came to grief" }]);
  expect(n_seeds).toBe(6);
  expect(arm.per_seed.map(Number.isNaN)).toEqual([false, false, true, false, false, false]);
  expect(baseline.full.per_seed.filter(Number.isNaN)).toHaveLength(1);
  expect(comparison.idea_wins).toBeLessThanOrEqual(4);

  expect(verdicts.strict.verdict).toBe("inconclusive");
  expect(verdicts.strict.rule).toBe("capped");
  const cap = verdicts.strict.caps.find(({ code }) => code === "unfinished-cells")!;
  expect(cap.text).toMatch(
    /^3 cells did not end.*idea lr=\S+ seed=2 \(timeout\).*mechanism of seed 4 \(failed\)$/,
  );
  expect(verdicts.strict.reasons.join()).not.toMatch(/NaN/);
  expect(verdicts.seed_v1.practical_verdict).toBe("inconclusive");
  expect(verdicts.seed_v1.rule).toBe("a run with cells that did not end gives no verdict");
  expect(report.verdict).toMatch(/of 6 seeds each, 1 did not end with the idea and 1 with the baseline/);
  expect(events.flatMap(({ event }) => (event.kind === "unfinished" ? [event.status] : []))).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ running: [], secondsLeft: 0 });
  expect(events.at(-1)!.done).toBe(events.at(-1)!.total);

  const view = reportView(report, "bench_report.json");
  expect(reportPage(view)).toMatch(/<h2[^>]*>Cells that did not end<[^]*the train came to grief/);
  expect(reportMarkdown(view)).toMatch(/\| `mechanism of seed 4` \| failed \|/);
  expect(cellsCsv(report.bench_report)).toMatch(
    /^idea,.*,2,timeout,NaN,.*the train came to grief,[0-9a-f]{64}\r$/m,
  );

  const tried: Task[] = [];
  const again = reportOf(await runPlan(plan, { store, executor: failing(() => undefined, tried) }));
  const { bench_report: unharmed } = reportOf(whole);
  expect(tried.filter((task) => task.kind === "train" && task.spec.arm === "baseline")).toHaveLength(1);
  expect(again.bench_report.verdicts).toEqual(unharmed.verdicts);
  expect(again.bench_report.comparison).toEqual(unharmed.comparison);
  expect(again.bench_report.verdicts.strict.caps.map(({ code }) => code)).not.toContain("unfinished-cells");
});

test("a configuration of which a tuning cell did not end is the worst of its sweep", async () => {
  const best = whole.ideaArm.best.lr;
  const run = await runPlan(plan, {
    executor: failing((task) =>
      trains("idea", tuningSeed!, "validation")(task) &&
      (task as { spec: { cfg: { lr: number } } }).spec.cfg.lr === best
        ? "E_TIMEOUT"
        : undefined,
    ),
  });
  expect(run.ideaArm.sweep.find(({ cfg }) => cfg.lr === best)!.values).toEqual([NaN]);
  expect(run.ideaArm.best.lr).not.toBe(best);
  expect(reportOf(run).bench_report.verdicts.strict.caps.map(({ code }) => code)).toContain(
    "unfinished-cells",
  );
});

test.each<[string, Failure, RegExp]>([
  [
    "no cell ends",
    (task) => (task.kind === "train" ? "E_TIMEOUT" : undefined),
    /^E_TIMEOUT: the train came to grief$/,
  ],
  [
    "no configuration of an arm has all of its cells",
    (task) => (task.kind === "train" && task.spec.arm === "idea" ? "E_CRASH" : undefined),
    /^E_CRASH: no configuration of the idea could be tuned.*came to grief$/,
  ],
  ["a cell throws", trainsWith("E_CELL"), /^E_CELL/],
  ["the run is interrupted", trainsWith("E_INTERRUPTED"), /^E_INTERRUPTED/],
])("a run ends when %s", async (_what, failure, message) => {
  const tried: Task[] = [];
  await expect(runPlan(plan, { executor: failing(failure, tried) })).rejects.toThrow(message);
  expect(tried.filter(({ kind }) => kind === "train").length).toBeLessThanOrEqual(10);
});

function trainsWith(code: ErrorCode): Failure {
  return (task) => (task.kind === "train" && task.spec.arm === "idea" ? code : undefined);
}

test.each([
  [
    "a time-out that is called a result",
    /cells\[\d+\]\.(status|metric|steps|parameters)/,
    { status: "ok" as const },
  ],
  ["a reason that is taken away", /cells\[\d+\]\.status/, { reason: "" }],
  ["a value that is made up", /cells\[\d+\]\.metric|per_seed/, { metric: 0.5 }],
])("verify names %s", async (_what, path, changed) => {
  const lost = trains("idea", 2, "test");
  const run = await runPlan(plan, { executor: failing((task) => (lost(task) ? "E_TIMEOUT" : undefined)) });
  const report = buildReport(run);
  const { bench_report: bench } = report;
  const cells = bench.cells.map((cell) => (cell.status === "timeout" ? { ...cell, ...changed } : cell));
  const altered = { ...report, bench_report: { ...bench, cells } };
  expect(
    verifyReport(altered)
      .faults.map((fault) => fault.path)
      .join(" "),
  ).toMatch(path);
});
