import type { ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { emptyFolder, filesBelow, gradstand, start, startFile, type Outcome } from "../cli/command.js";
import { expectNoTemporaries, reportFolder, reportValues } from "../faults/runs.js";
import { projectFolder, RedisServer } from "./server.js";

const small = "bench run moment-rank2 --preset quick --seeds 2 --train 8 --test 8".split(" ");
/** Cells of that run that are trained. */
const CELLS = 12;
const onQueue = [...small, "--executor", "bullmq"];

let server: RedisServer;
let workers: { process: ChildProcess; outcome: Promise<Outcome> }[];
let whole: string;

beforeAll(async () => {
  const folder = emptyFolder();
  expect((await gradstand(small, folder)).code).toBe(0);
  whole = reportValues(folder);
});

beforeEach(async () => {
  server = await RedisServer.start();
  workers = [];
});

afterEach(async () => {
  for (const { process } of workers) process.kill("SIGKILL");
  await server.stop();
});

const env = (): Record<string, string> => ({ REDIS_URL: server.url });

/** Starts a worker with one thread; `text` is what it has printed so far. */
function worker(folder = projectFolder(), main?: string) {
  const words = ["bench", "worker", "--jobs", "1"];
  const started = main === undefined ? start(words, folder, env()) : startFile(main, words, folder, env());
  workers.push(started);
  let text = "";
  started.process.stderr!.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const printed = async (pattern: RegExp): Promise<void> => {
    while (!pattern.test(text)) await pause(20);
  };
  return { ...started, printed, stop: () => (started.process.kill("SIGTERM"), started.outcome) };
}

/** Stops a worker in the middle of a cell, as a machine that hangs, and is sure of it. */
async function freezeInCell({ process }: ChildProcessOwner): Promise<void> {
  for (;;) {
    await server.until("active", 1);
    process.kill("SIGSTOP");
    await pause(100);
    if ((await server.jobs("active")) === 1) return;
    process.kill("SIGCONT");
  }
}

interface ChildProcessOwner {
  readonly process: ChildProcess;
}

test("a run with two workers has the values of one in threads, both work, and nothing is left in the queue", async () => {
  const folder = projectFolder();
  const [one, other] = [worker(), worker()];
  await Promise.all([one.printed(/takes cells/), other.printed(/takes cells/)]);
  const { code, err } = await gradstand(onQueue, folder, env());
  expect(code, err).toBe(0);
  expect(err).not.toMatch(/no worker is connected|retried/);
  expect(reportValues(folder)).toBe(whole);
  const ends = await Promise.all([one.stop(), other.stop()]);
  const done = ends.map(({ out }) => Number(/^(\d+) cells? done$/m.exec(out)?.[1]));
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(done[0]! + done[1]!).toBe(CELLS);
  expect(Math.min(...done)).toBeGreaterThan(0);
  expect(await server.answers()).toBe(0);
  expect([await server.jobs("wait"), await server.jobs("active")]).toEqual([0, 0]);
  const report = fs.readFileSync(path.join(folder, reportFolder, "bench_report.json"), "utf8");
  expect(report).toMatch(/"executor": ?"bullmq"/);
});

test("a worker that is killed in the middle of a cell loses it to another", async () => {
  const folder = projectFolder();
  const first = worker();
  const run = start(onQueue, folder, env());
  await freezeInCell(first);
  first.process.kill("SIGKILL");
  worker();
  const { code, err } = await run.outcome;
  expect(code, err).toBe(0);
  expect(err).toMatch(/retried .*its worker was lost, or lost Redis; it waits for another worker/);
  expect(reportValues(folder)).toBe(whole);
});

test("a worker that is stopped in the middle of a cell puts it back, and the next one takes it at once", async () => {
  const folder = projectFolder();
  const first = worker();
  const run = start(onQueue, folder, env());
  await freezeInCell(first);
  const left = CELLS - (await server.answers());
  const stopped = first.stop();
  first.process.kill("SIGCONT");
  expect((await stopped).code).toBe(0);
  // What it answered in the moment in which it was stopped counts as well.
  expect(await server.jobs("active")).toBe(0);
  expect((await server.jobs("wait")) + (await server.answers())).toBe(CELLS);
  expect(await server.jobs("wait")).toBeGreaterThanOrEqual(left - 1);
  worker();
  const { code, err } = await run.outcome;
  expect(code, err).toBe(0);
  expect(err).not.toMatch(/retried/);
  expect(reportValues(folder)).toBe(whole);
});

test("a Redis that is killed in the middle of a run, and comes back with nothing in it, gets the cells again", async () => {
  const folder = projectFolder();
  const run = start(onQueue, folder, env());
  await server.until("wait", CELLS);
  const one = worker();
  await one.printed(/seed=\d: [\d.]+ s/);
  await server.kill();
  await pause(1500);
  await server.restart();
  const { code, err } = await run.outcome;
  expect(code, err).toBe(0);
  expect(err).toMatch(/lost the connection to redis:.*\n(?:.*\n)*connected to redis:.* again/);
  expect(err).toMatch(/Redis has lost \d+ cells of the queue; handed in again/);
  expect(reportValues(folder)).toBe(whole);
  expect((await one.stop()).code).toBe(0);
});

test("killed with SIGKILL, a resumed run finds the answers that came in the meantime", async () => {
  const folder = projectFolder();
  const run = start(onQueue, folder, env());
  await server.until("wait", CELLS);
  run.process.kill("SIGKILL");
  expect((await run.outcome).code).toBe(null);
  const one = worker();
  await server.until("answers", CELLS);
  await one.stop();
  const resumed = await gradstand(["bench", "resume", reportFolder], folder, env());
  expect(resumed.code, resumed.err).toBe(0);
  expect(reportValues(folder)).toBe(whole);
  expect(await server.answers()).toBe(0);
  expectNoTemporaries(folder);
});

test("a worker of another version takes nothing, the run says so, and SIGTERM takes its cells out of the queue", async () => {
  const folder = projectFolder();
  const stranger = worker(projectFolder(), otherVersion());
  await stranger.printed(/takes cells/);
  const run = start([...onQueue, "--redis", server.url], folder);
  let text = "";
  run.process.stderr!.on("data", (chunk: Buffer) => (text += chunk.toString()));
  while (!text.includes("no worker is connected")) await pause(50);
  expect(text).toMatch(
    /no worker is connected to the queue cells-v1-[0-9a-f]{16} at redis:.*; 1 worker has another version of gradstand and takes nothing from it\. Start one/,
  );
  expect(await server.jobs("wait")).toBe(CELLS);
  run.process.kill("SIGTERM");
  const stopped = await run.outcome;
  expect(stopped.code).toBe(130);
  expect(stopped.err).toContain(`To go on where it stopped: npx gradstand bench resume ${reportFolder}`);
  expect(await server.jobs("wait")).toBe(0);
  expect((await stranger.stop()).out).toContain("0 cells done");
  // Another executor has no use for --redis, which the run was started with.
  const resumed = await gradstand(["bench", "resume", reportFolder, "--executor", "threads"], folder);
  expect(resumed.code, resumed.err).toBe(0);
  expect(reportValues(folder)).toBe(whole);
});

test("without Redis, a run and a worker can still be stopped", async () => {
  const folder = projectFolder();
  const run = start(onQueue, folder, env());
  await server.until("wait", CELLS);
  const one = worker();
  await one.printed(/seed=\d: [\d.]+ s/);
  await server.kill();
  await one.printed(/lost the connection/);
  run.process.kill("SIGTERM");
  const [stopped, ended] = await Promise.all([run.outcome, one.stop()]);
  expect([stopped.code, ended.code]).toEqual([130, 0]);
});

test("a file of one's own must be the same where the worker is", async () => {
  const folder = projectFolder();
  expect((await gradstand(["bench", "new", "my-idea"], folder)).code).toBe(0);
  const own = "bench run ./my-idea.ts --preset quick --train 8 --test 8 --executor bullmq".split(" ");
  const file = path.join(folder, "my-idea.ts");

  const without = worker();
  const missing = await gradstand(own, folder, env());
  expect(missing.err).toMatch(
    /E_PLUGIN_FILE: my-idea\.ts: there is no such file .*\(the worker on .* in .*, where the file must be as it is where the run was started\)/,
  );
  expect(missing.code).toBe(2);
  await without.stop();

  const elsewhere = projectFolder();
  fs.writeFileSync(path.join(elsewhere, "my-idea.ts"), `${fs.readFileSync(file, "utf8")}\n// Another.\n`);
  const edited = worker(elsewhere);
  const other = await gradstand(own, folder, env());
  expect(other.err).toMatch(/E_PLUGIN_FILE: my-idea\.ts: .*\(the worker on /);
  expect(other.code).toBe(2);
  await edited.stop();

  const same = projectFolder();
  fs.copyFileSync(file, path.join(same, "my-idea.ts"));
  worker(same);
  const { code, err } = await gradstand(own, folder, env());
  expect(code, err).toBe(0);
});

test("a password is asked for, checked, and written nowhere", async () => {
  const guarded = await RedisServer.start("sesame-7f3a");
  try {
    const folder = projectFolder();
    const none = await gradstand(onQueue, folder, { REDIS_URL: guarded.url });
    expect(none.err).toMatch(/E_REDIS: the Redis at redis:.* asks for a password; give it as REDIS_URL=/);
    expect(none.code).toBe(2);
    const wrong = guarded.secretUrl.replace("sesame", "wrong");
    const refused = await gradstand(["bench", "worker"], folder, { REDIS_URL: wrong });
    expect(refused.err).toMatch(/E_REDIS: the Redis at redis:\/\/:\*\*\*@.* refuses .*WRONGPASS/);
    expect(refused.code).toBe(2);
    const secret = { REDIS_URL: guarded.secretUrl };
    workers.push(start(["bench", "worker", "--jobs", "1"], projectFolder(), secret));
    const { code, err, out } = await gradstand(onQueue, folder, secret);
    expect(code, err).toBe(0);
    expect(reportValues(folder)).toBe(whole);
    for (const text of [err, out]) expect(text).not.toContain("sesame");
    const written = filesBelow(folder).filter((name) => !name.startsWith("node_modules"));
    expect(written.length).toBeGreaterThan(CELLS);
    for (const name of written)
      expect(fs.readFileSync(path.join(folder, name), "utf8"), name).not.toContain("sesame");
  } finally {
    await guarded.stop();
  }
});

/** The command of a copy of the package whose code is said to be another. */
function otherVersion(): string {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const copy = emptyFolder();
  fs.cpSync(path.join(root, "dist"), path.join(copy, "dist"), { recursive: true });
  fs.copyFileSync(path.join(root, "package.json"), path.join(copy, "package.json"));
  fs.symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  fs.writeFileSync(path.join(copy, "dist", "fingerprint"), `${"0".repeat(64)}\n`);
  return path.join(copy, "dist", "cli", "main.js");
}
