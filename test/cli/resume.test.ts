import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseReport, type ReportV2 } from "../../src/bench/report/index.js";
import { emptyFolder, filesBelow } from "./command.js";
import { inProcess } from "./recording-terminal.js";
import { valuesOf } from "./report-values.js";
import { stoppedAt } from "./stopped-run.js";

const here = process.cwd();
let folder: string;

beforeEach(() => {
  folder = fs.realpathSync(emptyFolder());
  process.chdir(folder);
});
afterEach(() => process.chdir(here));

const sizes = "--preset quick --train 8 --test 8 --jobs 1";
const words = (line: string): string[] => line.split(" ");
const command = `bench run moment-rank2 ${sizes}`;
const reports = path.join("reports", "moment-rank2");

function reportIn(place: string): ReportV2 {
  const file = path.join(place, "bench_report.json");
  return parseReport(fs.readFileSync(file, "utf8"), file) as ReportV2;
}

test("a stopped run goes on where it stopped, from another folder too, and its report has the values of one that was not", async () => {
  await inProcess(words(`${command} --out whole --store other --save-model`));
  expect(filesBelow(path.join("whole", "models"))).toEqual(
    ["baseline", "idea"].flatMap((arm) => [0, 1].map((seed) => `${arm}-seed-${seed}.safetensors`)),
  );
  const stopped = await stoppedAt(command, /\[5\/14\]/);
  expect(stopped.code).toBe(130);
  expect(stopped.err).toContain(`To go on where it stopped: npx gradstand bench resume ${reports}`);
  expect(filesBelow(reports)).toEqual(["bench_run.json"]);
  const kept = filesBelow(path.join(".gradstand", "cells")).filter((file) => /^\w{64}\.json$/.test(file));
  expect(kept.length).toBeGreaterThanOrEqual(5);

  process.chdir(fs.realpathSync(emptyFolder()));
  const place = path.join(folder, reports);
  const resumed = await inProcess(words(`bench resume ${place}`));
  expect(resumed.err).toContain(`resuming: npx gradstand ${command}`);
  expect(resumed.err.match(/\(stored/g)).toHaveLength(kept.length);
  expect(resumed.code).toBe(0);
  expect(filesBelow(process.cwd())).toEqual([]);
  expect(valuesOf(reportIn(place))).toEqual(valuesOf(reportIn(path.join(folder, "whole"))));
  expect(reportIn(place).bench_report.provenance.command).toBe(`npx gradstand ${command}`);

  const again = await inProcess(words(`bench resume ${place}`));
  expect(again.err).toMatch(/nothing to resume: the run in .*moment-rank2 has finished/);
  expect(again.code).toBe(5);
});

test("a plan that is another one now is not resumed, and says where it differs", async () => {
  await stoppedAt(command, /training/);
  const file = path.join(reports, "bench_run.json");
  const { decodeRun, encodeRun } = await import("../../src/bench/index.js");
  const run = decodeRun(fs.readFileSync(file, "utf8"), file);
  fs.writeFileSync(file, encodeRun({ ...run, plan: { ...run.plan, track: "sequence", code: "older" } }));
  const { err, code } = await inProcess(words(`bench resume ${reports}`));
  expect(err).toMatch(/E_PLAN.*track: was "sequence", is "dynamics"; code: was "older", is "\w{64}"/);
  expect(err).toContain(`start it anew with: npx gradstand ${command}`);
  expect(code).toBe(2);
});

test.each([
  [
    "bench resume nowhere",
    /E_USAGE: bench resume: cannot read .*nowhere.bench_run.json.*expected the folder of a run/,
  ],
  ["bench resume a b", /E_USAGE: bench resume: expected one folder, got a b/],
  ["bench resume --preset quick", /E_USAGE.*no option --preset/],
  ["bench gc extra", /E_USAGE: bench gc: expected nothing after it, got extra/],
  ["bench gc", /E_USAGE: bench gc: there is no store in .gradstand.cells/],
])("%s is refused", async (line, message) => {
  const { code, err } = await inProcess(words(line));
  expect(err).toMatch(message);
  expect(code).toBe(2);
  expect(filesBelow(folder)).toEqual([]);
});

test("a run's file that was cut off is named, and nothing is trained", async () => {
  await stoppedAt(command, /training/);
  const file = path.join(reports, "bench_run.json");
  fs.truncateSync(file, 100);
  const { err } = await inProcess(words(`bench resume ${reports}`));
  expect(err).toMatch(/E_STORE: .*bench_run.json cannot be used as the plan of a run: it is not whole JSON/);
  expect(filesBelow(reports)).toEqual(["bench_run.json"]);
});

test("bench gc removes the cells of a run whose report's folder is gone, and says what it would remove before", async () => {
  await inProcess(words(`${command} --out mine`));
  const cells = filesBelow(".gradstand");
  expect((await inProcess(words("bench gc"))).out).toMatch(
    /removed 0 files.*14 cells stay that plans refer to/,
  );
  fs.rmSync("mine", { recursive: true });
  const planned = await inProcess(words("bench gc --dry-run"));
  expect(planned.out).toMatch(/the plan of the run in .*mine is gone or was replaced/);
  expect(planned.out).toMatch(/would remove 16 files/);
  expect(planned.out.match(/\w{64}\.(json|cells)$/gm)).toHaveLength(16);
  expect(filesBelow(".gradstand")).toEqual(cells);
  const done = JSON.parse((await inProcess(words("bench gc --json"))).out) as { removed: unknown[] };
  expect(done).toMatchObject({
    command: "bench gc",
    kept: 0,
    left: [],
    endedRuns: [path.join(folder, "mine")],
  });
  expect(done.removed).toHaveLength(16);
  expect(filesBelow(".gradstand")).toEqual([]);
});

test("bench report --partial makes a report of what is stored, with no verdict, and trains nothing", async () => {
  expect((await inProcess(words("bench report nowhere --partial"))).err).toMatch(
    /E_USAGE: .*cannot read nowhere/,
  );
  await stoppedAt(command, /\[2\/14\]/);
  const early = await inProcess(words(`bench report ${reports} --partial`));
  expect(early.out).toMatch(/^baseline, lr 0.001: [12] of 2 cells stored$/m);
  expect(early.err).toMatch(/nothing can be compared yet/);
  expect(early.code).toBe(5);

  await inProcess(words(`bench resume ${reports}`));
  const whole = await inProcess(words(`bench report ${reports} --partial`));
  expect(whole.err).toMatch(/has ended: this is its whole report/);
  expect(whole.code).toBe(0);

  // As if one cell of the last seed had not come: its file is gone, and the run has not noted that it has ended.
  const { bench_report: bench } = reportIn(reports);
  const lost = bench.cells.find(({ seed }) => seed === "1")!;
  fs.rmSync(path.join(".gradstand", "cells", `${lost.key}.json`));
  fs.rmSync(path.join(reports, "bench_report.json"));
  const cells = filesBelow(".gradstand");
  const partial = await inProcess(words(`bench report ${reports} --partial`));
  expect(partial.err).toMatch(/a report of 1 of 2 planned seeds/);
  expect(partial.out).toMatch(/a partial report: 1 of 2 planned seeds, looked at before the run had ended/);
  expect(partial.code).toBe(0);
  expect(filesBelow(".gradstand")).toEqual(cells);
  expect(filesBelow(reports)).toEqual([
    "bench_report.html",
    "bench_report.partial.html",
    "bench_report.partial.json",
    "bench_run.json",
  ]);
  const verified = await inProcess(["bench", "verify", path.join(reports, "bench_report.partial.json")]);
  expect(verified.out).toMatch(/The report holds/);
});
