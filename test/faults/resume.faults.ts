import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyFolder, filesBelow } from "../cli/command.js";
import { inProcess } from "../cli/recording-terminal.js";
import { stoppedAt } from "../cli/stopped-run.js";

const here = process.cwd();

beforeEach(() => process.chdir(fs.realpathSync(emptyFolder())));
afterEach(() => process.chdir(here));

const sizes = "--preset quick --train 8 --test 8 --jobs 1";
const words = (line: string): string[] => line.split(" ");
const command = `bench run moment-rank2 ${sizes}`;
const reports = path.join("reports", "moment-rank2");

test("without a folder the one unfinished run below reports is taken; several are named, and so is none", async () => {
  expect((await inProcess(words("bench resume"))).err).toMatch(
    /E_USAGE.*there is no unfinished run below reports/,
  );
  await stoppedAt(command, /training/);
  await stoppedAt(`bench run residual-pivoted ${sizes}`, /training/);
  const both = await inProcess(words("bench resume"));
  expect(both.err).toMatch(
    /E_USAGE.*2 unfinished runs; name one of reports.moment-rank2, reports.residual-pivoted/,
  );
  expect(both.code).toBe(2);
  fs.rmSync(path.join("reports", "residual-pivoted"), { recursive: true });
  expect((await inProcess(words("bench resume --json"))).code).toBe(0);
  expect(fs.existsSync(path.join(reports, "bench_report.json"))).toBe(true);
});

test("a report folder that was moved keeps its run, and its report goes there", async () => {
  await stoppedAt(command, /\[3\/14\]/);
  fs.renameSync("reports", "elsewhere");
  const { code, err } = await inProcess(words("bench resume elsewhere/moment-rank2"));
  expect(err).toMatch(/\(stored/);
  expect(code).toBe(0);
  expect(fs.existsSync("reports")).toBe(false);
  expect(filesBelow("elsewhere")).toContain(path.join("moment-rank2", "bench_report.json"));
});

test("a run of two ideas is resumed as a whole by either folder, but not when one was moved", async () => {
  const { err } = await stoppedAt(
    `bench run moment-rank2 residual-pivoted ${sizes}`,
    /^residual-pivoted: training/,
  );
  expect(err).toContain("bench resume reports/residual-pivoted");
  fs.renameSync(reports, "moved");
  fs.rmSync(path.join("moved", "bench_report.json"));
  expect((await inProcess(words("bench resume moved"))).err).toMatch(
    /E_USAGE.*was moved from .*writes 2 reports/,
  );
  expect((await inProcess(words("bench resume reports/residual-pivoted"))).code).toBe(0);
  expect(filesBelow("reports").filter((file) => file.endsWith("report.json"))).toHaveLength(2);
});
