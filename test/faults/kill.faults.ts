import { randomInt } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { emptyFolder, gradstand, start } from "../cli/command.js";
import {
  cellsIn,
  expectNoTemporaries,
  expectNothingHalfWritten,
  reportFolder,
  reportValues,
  smallRun,
} from "./runs.js";

const preload = fileURLToPath(new URL("./fixtures/kill-at-call.mjs", import.meta.url));
const withPreload = { NODE_OPTIONS: `--import ${preload}` };

let values: string;
let milliseconds: number;
let calls: number;

/** The run without any fault: what its report says, how long it takes, and how often it calls the file system. */
beforeAll(async () => {
  const folder = emptyFolder();
  const counted = path.join(emptyFolder(), "calls");
  const begin = performance.now();
  const { code, err } = await gradstand(smallRun, folder, { ...withPreload, CALLS_TO: counted });
  milliseconds = performance.now() - begin;
  expect(err).not.toMatch(/E_[A-Z]+/);
  expect(code).toBe(0);
  values = reportValues(folder);
  calls = Number(fs.readFileSync(counted, "utf8"));
  expect(calls).toBeGreaterThan(50);
});

/** The command that goes on in a folder: that of the run itself as long as it has not written its plan. */
function commandIn(folder: string): readonly string[] {
  const begun = fs.existsSync(path.join(folder, reportFolder, "bench_run.json"));
  return begun ? ["bench", "resume", reportFolder] : smallRun;
}

/** Starts what goes on in a folder and kills it at some moment; whether it was killed in time. */
type Killer = (folder: string) => Promise<boolean>;

/** Kills runs over and over, each of which goes on where the one before it was killed, and compares every report at the end. */
async function killAndResume(kills: number, kill: Killer): Promise<{ resumed: number }> {
  let folder = emptyFolder();
  let resumed = 0;
  for (let count = 0; count < kills;) {
    if (await kill(folder)) {
      count += 1;
      expectNothingHalfWritten(folder);
      if (count < kills) continue;
      resumed += cellsIn(folder).length > 0 ? 1 : 0;
      const { code, err } = await gradstand(commandIn(folder), folder);
      expect(err).not.toMatch(/E_[A-Z]+/);
      expect(code).toBe(0);
    } else resumed += 1;
    expect(reportValues(folder)).toBe(values);
    expectNoTemporaries(folder);
    folder = emptyFolder();
  }
  return { resumed };
}

test("killed with SIGKILL at 20 random moments, a run that is resumed gives the same bytes", async () => {
  const moments: number[] = [];
  const { resumed } = await killAndResume(20, async (folder) => {
    const moment = randomInt(50, Math.round(milliseconds));
    moments.push(moment);
    const { process: child, outcome } = start(commandIn(folder), folder);
    const timer = setTimeout(() => child.kill("SIGKILL"), moment);
    const { code, err } = await outcome;
    clearTimeout(timer);
    expect(err, `killed after ${moments.join(", ")} ms`).not.toMatch(/E_[A-Z]+/);
    if (code === null) return true;
    expect([0, 5], `killed after ${moments.join(", ")} ms: ${err}`).toContain(code);
    return false;
  });
  expect(resumed).toBeGreaterThan(0);
});

test("killed in the middle of 20 random calls of the file system, half of the content written, too", async () => {
  const numbers: number[] = [];
  await killAndResume(20, async (folder) => {
    const number = randomInt(1, calls + 1);
    numbers.push(number);
    const { code, err } = await gradstand(commandIn(folder), folder, {
      ...withPreload,
      KILL_AT_CALL: String(number),
    });
    expect(err, `killed at the calls ${numbers.join(", ")}`).not.toMatch(/E_[A-Z]+/);
    if (code === null) return true;
    expect([0, 5], `killed at the calls ${numbers.join(", ")}: ${err}`).toContain(code);
    return false;
  });
});
