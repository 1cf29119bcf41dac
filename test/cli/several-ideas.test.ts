import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { sweepCells } from "../../src/bench/run/plan.js";
import { runJobs } from "../../src/cli/run-jobs.js";
import { emptyFolder, type Outcome } from "./command.js";
import { inProcess, recordingTerminal } from "./recording-terminal.js";

const folder = emptyFolder();
const [store, reports] = [path.join(folder, "my cells"), path.join(folder, "reports")];
let outcome: Outcome;
let unusable: string;

/** Two ideas; a stored cell of the first is damaged, and the store is lost when the first is done and the second trains. */
beforeAll(async () => {
  const size = ["--preset", "quick", "--train", "8", "--test", "8"];
  const [job] = runJobs({ _: ["moment-rank2"], preset: "quick", train: "8", test: "8" });
  unusable = path.join(store, `${sweepCells(job!.plan, job!.plan.sweep)[0]!.key}.json`);
  fs.mkdirSync(store);
  fs.writeFileSync(unusable, "{");
  let done = false;
  const loseStore = (note: string): void => {
    done ||= note === "moment-rank2: done";
    if (!done || !note.startsWith("residual-pivoted: [")) return;
    fs.rmSync(store, { recursive: true });
    fs.writeFileSync(store, "mine");
  };
  const words = [
    "bench",
    "run",
    "moment-rank2",
    "residual-pivoted",
    ...size,
    "--out",
    reports,
    "--store",
    store,
  ];
  outcome = await inProcess(words, recordingTerminal({ onNote: loseStore }));
});

test("a stored cell that cannot be used is said, with the file it was moved to, and computed again", () => {
  expect(outcome.err).toContain(`the stored cell ${unusable} cannot be used (`);
  expect(outcome.err).toContain(`it was moved to ${unusable}.corrupt and is computed again\n`);
  expect(outcome.err).toMatch(/moment-rank2: \[14\/14\]/);
});

test("when the second idea fails, the first one's report, summary and verdict are there", () => {
  expect(outcome.err).toMatch(/E_STORE/);
  expect(outcome.code).toBe(2);
  expect(fs.existsSync(path.join(reports, "moment-rank2", "bench_report.json"))).toBe(true);
  expect(fs.existsSync(path.join(reports, "residual-pivoted", "bench_report.json"))).toBe(false);
  expect(outcome.out).toMatch(/\(moment-rank2\)\n {2}dynamics with rnn_small, preset quick: 8 train, 8 test/);
  expect(outcome.out.split("\n").at(-1)).toMatch(/^moment-rank2: .*; next: npx gradstand bench /);
  expect(outcome.out).toContain("residual-pivoted on sequence: not finished, counted as p = 1");
  expect(outcome.out).not.toMatch(/\(residual-pivoted\)/);
});
