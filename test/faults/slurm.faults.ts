import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { emptyFolder, filesBelow, gradstand, start } from "../cli/command.js";
import { cellsIn, expectNoTemporaries, reportFolder, reportValues } from "./runs.js";

const fake = fileURLToPath(new URL("./fixtures/fake-slurm.mjs", import.meta.url));
const local = "bench run moment-rank2 --preset quick --seeds 2 --train 8 --test 8".split(" ");
const onCluster = [...local, "--executor", "slurm", "--jobs", "2"];

/** A folder for a run with a Slurm of its own, whose state is in `state`. */
function cluster(commands: readonly string[] = ["sbatch", "squeue", "sacct", "scancel"]) {
  const folder = emptyFolder();
  const [bin, state] = [path.join(folder, "bin"), path.join(folder, "slurm")];
  fs.mkdirSync(bin);
  fs.mkdirSync(state);
  for (const command of commands) {
    const text = `#!/bin/sh\nexec '${process.execPath}' '${fake}' ${command} "$@"\n`;
    fs.writeFileSync(path.join(bin, command), text, { mode: 0o755 });
  }
  // Nothing else of the machine's: it might have a Slurm.
  const env = { PATH: `${bin}:/bin:/usr/bin`, FAKE_SLURM: state };
  const lines = (name: string): string[] => {
    const file = path.join(state, name);
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
  };
  return { folder, state, env, lines };
}

let whole: string;
beforeAll(async () => {
  const folder = emptyFolder();
  expect((await gradstand(local, folder)).code).toBe(0);
  whole = reportValues(folder);
});

test("a run through array jobs has the values of one in threads; one job has all cells of a phase, and the spool is empty in the end", async () => {
  const { folder, env, lines } = cluster();
  const { code, err } = await gradstand(
    [...onCluster, "--chunk", "3", "--sbatch=--partition=short"],
    folder,
    env,
  );
  expect(code, err).toBe(0);
  expect(reportValues(folder)).toBe(whole);
  // 12 cells in chunks of 3 are 4 array tasks of one job.
  expect(lines("submitted")).toEqual([
    expect.stringMatching(/^101 --parsable .*--array=0-3%2 .*--partition=short /),
  ]);
  expect(lines("started").sort()).toEqual(["101_0", "101_1", "101_2", "101_3"]);
  expect(
    filesBelow(path.join(folder, ".gradstand", "cells.slurm")).filter((name) =>
      /\.(task|reply|assigned)\./.test(name),
    ),
  ).toEqual([]);
  const report = fs.readFileSync(path.join(folder, reportFolder, "bench_report.json"), "utf8");
  expect(report).toMatch(/"executor": ?"slurm"/);
});

test("jobs that vanish with their node are handed in once more, and a cell whose second job vanishes too is one that failed", async () => {
  const once = cluster();
  fs.writeFileSync(path.join(once.state, "lose"), "2");
  const ended = await gradstand(onCluster, once.folder, once.env);
  expect(ended.code, ended.err).toBe(0);
  expect(ended.err).toMatch(/retried .*its Slurm job 101_\d+ ended as NODE_FAIL without an answer/);
  expect(once.lines("submitted")).toHaveLength(2);
  expect(reportValues(once.folder)).toBe(whole);

  const always = cluster();
  fs.writeFileSync(path.join(always.state, "lose"), "1000");
  const lost = await gradstand(onCluster, always.folder, always.env);
  expect(lost.err).toMatch(
    /E_CRASH: .*it was handed in 2 times; the last time its Slurm job \d+_\d+ ended as NODE_FAIL/,
  );
  expect(lost.code).toBe(4);
});

test("killed with SIGKILL while its jobs run, a resumed run takes their answers and hands in no cell twice", async () => {
  const { folder, state, env, lines } = cluster();
  const { process: child, outcome } = start(onCluster, folder, env);
  while (lines("started").length < 3) await pause(20);
  child.kill("SIGKILL");
  expect((await outcome).code).toBe(null);
  const resumed = await gradstand(["bench", "resume", reportFolder], folder, env);
  expect(resumed.code, resumed.err).toBe(0);
  expect(lines("submitted")).toHaveLength(1);
  expect(lines("started")).toHaveLength(12);
  expect(reportValues(folder)).toBe(whole);
  expect(fs.existsSync(path.join(state, "cancelled"))).toBe(false);
  expectNoTemporaries(folder);
});

test("SIGTERM cancels the jobs, keeps what has ended, and says how to go on", async () => {
  const { folder, env, lines } = cluster();
  const { process: child, outcome } = start(onCluster, folder, env);
  while (lines("started").length < 3) await pause(20);
  child.kill("SIGTERM");
  const stopped = await outcome;
  expect(stopped.code).toBe(130);
  expect(stopped.err).toContain(`To go on where it stopped: npx gradstand bench resume ${reportFolder}`);
  expect(lines("cancelled")).toEqual(["101"]);
  const resumed = await gradstand(["bench", "resume", reportFolder], folder, env);
  expect(resumed.code, resumed.err).toBe(0);
  expect(reportValues(folder)).toBe(whole);
});

test("jobs that wait for nodes are waited for, with Slurm's word for it, and begin when there are some", async () => {
  const { folder, state, env, lines } = cluster();
  const pend = path.join(state, "pend");
  fs.writeFileSync(pend, "ReqNodeNotAvail, UnavailableNodes:n[1-4]");
  const { process: child, outcome } = start(onCluster, folder, env);
  child.stderr!.on("data", (text: Buffer) => {
    if (text.includes("wait in the queue")) fs.rmSync(pend, { force: true });
  });
  const { code, err } = await outcome;
  expect(code, err).toBe(0);
  expect(err).toMatch(
    /^moment-rank2: array tasks wait in the queue of Slurm: 12 for ReqNodeNotAvail, UnavailableNodes:n\[1-4\]; Ctrl-C cancels them$/m,
  );
  expect(lines("cancelled")).toEqual([]);
  expect(reportValues(folder)).toBe(whole);
});

test.each([
  [
    "that is held",
    "JobHeldUser",
    /E_SLURM: Slurm's job 101_\d+ will not begin: it is held \(JobHeldUser\); .*resume/,
  ],
  [
    "that asks for too long",
    "PartitionTimeLimit",
    /E_SLURM: .*waiting does not bring \(PartitionTimeLimit\); .*--sbatch/,
  ],
])(
  "a job %s ends the run, is cancelled, and is handed in anew by a resumed run",
  async (_what, reason, message) => {
    const { folder, state, env, lines } = cluster();
    fs.writeFileSync(path.join(state, "pend"), reason);
    const { code, err } = await gradstand(onCluster, folder, env);
    expect(err).toMatch(message);
    expect(code).toBe(2);
    while (lines("cancelled").length === 0) await pause(20);
    expect(lines("cancelled")[0]!.split(" ").sort()).toEqual(
      Array.from({ length: 12 }, (_, index) => `101_${index}`).sort(),
    );
    fs.rmSync(path.join(state, "pend"));
    const resumed = await gradstand(["bench", "resume", reportFolder], folder, env);
    expect(resumed.code, resumed.err).toBe(0);
    expect(resumed.err).not.toMatch(/retried/);
    expect(reportValues(folder)).toBe(whole);
  },
);

test("a squeue that does not answer for a while loses no job", async () => {
  const { folder, state, env } = cluster();
  fs.writeFileSync(path.join(state, "deaf"), "1");
  const { code, err } = await gradstand(onCluster, folder, env);
  expect(code, err).toBe(0);
  expect(fs.readFileSync(path.join(state, "deaf"), "utf8")).toBe("0");
  expect(err).not.toMatch(/retried/);
  expect(reportValues(folder)).toBe(whole);
});

test.each([
  ["without sbatch", ["squeue"], undefined, /E_SLURM: there is no sbatch on the PATH/],
  [
    "when the job is refused",
    ["sbatch", "squeue"],
    "Batch job submission failed: Invalid account",
    /E_SLURM: sbatch refused the job: sbatch: error: Batch job submission failed: Invalid account.*--sbatch/,
  ],
])("%s the run ends before anything is trained, and says why", async (_what, commands, refusal, message) => {
  const { folder, state, env } = cluster(commands);
  if (refusal !== undefined) fs.writeFileSync(path.join(state, "refuse"), refusal);
  const { code, err } = await gradstand(onCluster, folder, env);
  expect(err).toMatch(message);
  expect(code).toBe(2);
  expect(cellsIn(folder)).toEqual([]);
});
