import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { builtInIdeas, type Idea } from "../../src/ideas/index.js";
import { memoryStore, planRun, runPlan, type Executor, type RunRecord } from "../../src/bench/index.js";
import { inlineExecutor, type Task, type TaskHooks } from "../../src/bench/executors/index.js";
import {
  buildFamilyReport,
  parseReport,
  serializeReport,
  type ReportV2,
} from "../../src/bench/report/index.js";
import { GradstandError } from "../../src/errors/index.js";
import { runFamily, type FamilyJob, type FamilySettings } from "../../src/cli/run-family.js";
import type { Job } from "../../src/cli/run-jobs.js";
import { exampleIdea } from "../bench/run/example-idea.js";
import { emptyFolder } from "./command.js";
import { recordingTerminal } from "./recording-terminal.js";
import { valuesOf } from "./report-values.js";

const names = ["moment-rank2", "example", "other"] as const;
const ideas = new Map([
  ...builtInIdeas,
  ...["example", "other"].map((name) => [name, plainIdea(name)] as const),
]);

/** An idea that changes nothing, whose report is whole. */
function plainIdea(name: string): Idea {
  return exampleIdea({
    name,
    summarize: (checks, signatures) => ({
      mechanism: { predicted: "2 models", observed: signatures.length, confirmed: true },
      mathematics: { passed: checks.every(({ passed }) => passed) },
      confirmed: true,
    }),
  });
}

/** The first so many of the ideas on one track with one model: they have the same baseline. */
function jobs(count: number): Job[] {
  const folder = emptyFolder();
  return names.slice(0, count).map((name) => ({
    plan: planRun({
      idea: ideas.get(name)!,
      preset: "quick",
      grid: { lr: [0.003] },
      sizes: { trainSize: 8, testSize: 8, epochs: 2 },
    }),
    name,
    folder: fs.mkdtempSync(path.join(folder, name)),
  }));
}

const isOf =
  (name: string) =>
  (task: Task): boolean =>
    task.kind === "train" && task.spec.idea?.name === name;

/** This thread with places for two tasks, which go on in turns; `before` may throw in the place of a task. */
function twoPlaces(before: (task: Task) => void = () => undefined) {
  const inline = inlineExecutor(ideas);
  const state = { now: 0, most: 0, tasks: [] as Task[] };
  const executor: Executor = {
    name: "inline",
    workers: 2,
    run: async (task, hooks?: TaskHooks) => {
      state.tasks.push(task);
      state.most = Math.max(state.most, ++state.now);
      try {
        before(task);
        return await inline.run(task, hooks);
      } finally {
        state.now -= 1;
      }
    },
    close: () => inline.close(),
  };
  return { executor, state };
}

/** What became of a family: its reports by idea, those that were told of, the notes, and what was thrown. */
async function familyOf(some: readonly Job[], settings: FamilySettings, terminal = recordingTerminal()) {
  const store = memoryStore();
  const told: string[] = [];
  const family: FamilyJob[] = some.map((job) => ({ job, cells: store }));
  const error: unknown = await runFamily(family, settings, terminal, ({ plan }) =>
    told.push(plan.idea.name),
  ).catch((thrown: unknown) => thrown);
  const reports = some.flatMap(({ folder }) => {
    const file = path.join(folder, "bench_report.json");
    return fs.existsSync(file) ? [parseReport(fs.readFileSync(file, "utf8"), file) as ReportV2] : [];
  });
  return { reports, told, error: error as GradstandError | undefined, notes: terminal.notes };
}

test("runs that share places have the results of runs one after the other, and compute the baseline that they share once", async () => {
  const family = jobs(2);
  const { executor, state } = twoPlaces();
  const { reports, told, error } = await familyOf(family, { executor });
  expect(error).toBeUndefined();
  expect(told).toEqual(["moment-rank2", "example", "moment-rank2"]);
  expect(state.most).toBe(2);
  const baseline = state.tasks.filter((task) => task.kind === "train" && task.spec.idea === null);
  expect(baseline).toHaveLength(family[0]!.plan.protocol.seeds.length);

  const records: RunRecord[] = [];
  for (const { plan } of family)
    records.push(await runPlan(plan, { executor: inlineExecutor(ideas), store: memoryStore() }));
  const plans = family.map(({ plan: { idea, track, model } }) => ({
    idea: idea.name,
    track: track.name,
    model: model.name,
  }));
  reports.forEach((report, at) => {
    const alone = parseReport(serializeReport(buildFamilyReport(plans, records, at)), "alone") as ReportV2;
    expect(valuesOf(report)).toEqual(valuesOf(alone));
  });
});

test("with one place the runs go one after the other", async () => {
  const { notes } = await familyOf(jobs(2), { executor: inlineExecutor(ideas) });
  const runs = notes.map((note) => /^[^:]+/.exec(note)![0]);
  expect([...new Set(runs)]).toEqual(["moment-rank2", "example"]);
  expect(runs.lastIndexOf("moment-rank2")).toBeLessThan(runs.indexOf("example"));
  expect(notes.filter((note) => note.endsWith("checking the mathematics on random inputs"))).toHaveLength(2);
});

test("a run that fails stops those after it; those before it end and are written, and then its failure is thrown", async () => {
  const { executor, state } = twoPlaces((task) => {
    if (task.kind === "checks" && task.idea.name === "example")
      throw new GradstandError("E_CELL", "as planned");
  });
  const { reports, told, error, notes } = await familyOf(jobs(3), { executor });
  expect(error).toMatchObject({ code: "E_CELL", message: "E_CELL: as planned" });
  expect(told).toEqual(["moment-rank2"]);
  expect(reports).toHaveLength(1);
  expect(reports[0]!.bench_report.family.members.map(({ p_value: p }) => p)).toEqual([
    expect.any(Number),
    null,
    null,
  ]);
  expect(state.tasks.filter(isOf("other"))).toEqual([]);
  expect(notes).toContain("example failed: E_CELL: as planned; still going: moment-rank2");
});

test("when the first run fails nothing is written, and the second is stopped without a word of its own", async () => {
  const { executor, state } = twoPlaces((task) => {
    if (isOf("moment-rank2")(task)) throw new GradstandError("E_CELL", "as planned");
  });
  const { reports, told, error, notes } = await familyOf(jobs(2), { executor });
  expect(error).toMatchObject({ message: "E_CELL: as planned" });
  expect([reports, told]).toEqual([[], []]);
  expect(state.tasks.filter(({ kind }) => kind === "measure")).toEqual([]);
  expect(notes.filter((note) => / failed/.test(note))).toEqual([]);
});

test("a run whose report cannot be written stops the others", async () => {
  const [first, second] = jobs(2);
  fs.rmdirSync(first!.folder);
  const { executor } = twoPlaces();
  const { reports, error } = await familyOf([first!, second!], { executor });
  expect(error).toMatchObject({ code: "E_OUTPUT" });
  expect(reports).toEqual([]);
});

test("an interrupt stops all runs, and the first unfinished one says how far it is", async () => {
  const controller = new AbortController();
  const onNote = (note: string): void => {
    if (/^example: \[2\//.test(note)) controller.abort();
  };
  const executor = inlineExecutor(ideas);
  const terminal = recordingTerminal({ onNote });
  const { told, error } = await familyOf(jobs(2), { executor, signal: controller.signal }, terminal);
  const finished = terminal.notes.filter((note) => /^example: \[\d+\//.test(note)).length;
  expect(told).toEqual(["moment-rank2"]);
  expect(error).toMatchObject({
    code: "E_INTERRUPTED",
    message: expect.stringContaining(`stopped with ${finished} of 6 cells finished`),
  });
  const before = await familyOf(jobs(2), { executor, signal: AbortSignal.abort() });
  expect(before.told).toEqual([]);
  expect(before.error).toMatchObject({ code: "E_INTERRUPTED" });
});
