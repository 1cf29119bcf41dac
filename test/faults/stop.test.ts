import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, gradstand, start, type Outcome } from "../cli/command.js";
import { cellsIn, expectNothingHalfWritten, expectNoTemporaries, reportFolder, smallRun } from "./runs.js";

/** Starts the run in a folder and sends a signal once a line of its progress matches. */
function signalledAt(folder: string, line: RegExp, signal: NodeJS.Signals): Promise<Outcome> {
  const { process: child, outcome } = start(smallRun, folder);
  let text = "";
  child.stderr!.on("data", (part: Buffer) => {
    text += part.toString();
    if (!child.killed && line.test(text)) child.kill(signal);
  });
  return outcome;
}

test("SIGTERM in mid-run ends with 130 and the command that resumes; SIGKILL after that too; the report comes in the end", async () => {
  const folder = emptyFolder();
  const stopped = await signalledAt(folder, /\[2\/\d+\]/, "SIGTERM");
  expect(stopped.code).toBe(130);
  expect(stopped.err).toMatch(/E_INTERRUPTED: stopped with \d+ of \d+ cells finished; they are kept in/);
  expect(stopped.err).toContain(`To go on where it stopped: npx gradstand bench resume ${reportFolder}`);
  expectNothingHalfWritten(folder);
  expectNoTemporaries(folder);
  const kept = cellsIn(folder).length;
  expect(kept).toBeGreaterThanOrEqual(2);

  const killed = await signalledAt(folder, new RegExp(`\\[${kept + 2}/\\d+\\]`), "SIGKILL");
  expect(killed.code).toBe(null);
  expectNothingHalfWritten(folder);
  expect(cellsIn(folder).length).toBeGreaterThanOrEqual(kept + 2);

  const resumed = await gradstand(["bench", "resume"], folder);
  expect(resumed.code).toBe(0);
  expect(resumed.err.match(/\(stored/g)!.length).toBeGreaterThanOrEqual(kept + 2);
  expectNoTemporaries(folder);
  expect(readdirSync(path.join(folder, reportFolder)).sort()).toEqual([
    "bench_report.html",
    "bench_report.json",
    "bench_run.json",
  ]);
});
