import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { ReportV2 } from "../../src/bench/report/index.js";
import { wordsOf } from "../../src/cli/arguments.js";
import { runJobs } from "../../src/cli/run-jobs.js";
import { emptyFolder } from "./command.js";
import { inProcess, recordingTerminal } from "./recording-terminal.js";

const small = ["--preset", "quick", "--train", "8", "--test", "8"];

test("--controls alone asks for all, names with commas for some", () => {
  expect(wordsOf({}, "controls")).toBeUndefined();
  expect(wordsOf({ controls: "" }, "controls")).toBe("all");
  expect(wordsOf({ controls: "all" }, "controls")).toBe("all");
  expect(wordsOf({ controls: "plain-t2,bottleneck" }, "controls")).toEqual(["plain-t2", "bottleneck"]);
  expect(() => wordsOf({ controls: "plain-t2,," }, "controls")).toThrow("E_USAGE: --controls");
  const [job] = runJobs({ _: ["moment-rank2"], preset: "quick", controls: "bottleneck,plain-t2" });
  expect(job!.plan.controls.map(({ name }) => name)).toEqual(["plain-t2", "bottleneck"]);
});

test("bench run --controls trains them, says what the idea is beside them, and its report verifies", async () => {
  const folder = emptyFolder();
  const words = ["moment-rank2", ...small, "--controls", "moments-alone,smaller-gru", "--out", folder];
  const run = await inProcess(
    ["bench", "run", ...words, "--store", path.join(folder, "cells")],
    recordingTerminal(),
  );
  expect(run.code).toBe(0);
  expect(run.err).toMatch(/control:smaller-gru lr 0.001 seed 0: /);
  const finding = "The idea is not shown to be better than its controls moments-alone and smaller-gru.";
  expect(run.out).toContain(`controls  ${finding}`);
  expect(run.out).toMatch(/not shown to be better than smaller-gru \(.*parameters ×0\.3/);
  const file = path.join(folder, "bench_report.json");
  const { bench_report: bench } = JSON.parse(fs.readFileSync(file, "utf8")) as ReportV2;
  expect(bench.controls!.arms.map(({ name, sweep }) => [name, sweep.length])).toEqual([
    ["moments-alone", 3],
    ["smaller-gru", 3],
  ]);
  const verified = await inProcess(["bench", "verify", file], recordingTerminal());
  expect(verified.code).toBe(0);
});

test("an unknown control is an error with the nearest name", async () => {
  const run = await inProcess(
    ["bench", "run", "moment-rank2", ...small, "--controls", "plain-t1", "--out", emptyFolder()],
    recordingTerminal(),
  );
  expect(run.code).toBe(2);
  expect(run.err).toMatch(/E_IDEA.*moment-rank2 has no control 'plain-t1'; .*plain-t2/);
});
