import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { parseReport, verifyReport, type ReportV2 } from "../../src/bench/report/index.js";
import { emptyFolder, type Outcome } from "./command.js";
import { inProcess, recordingTerminal } from "./recording-terminal.js";

const folder = emptyFolder();
const tracks = ["dynamics", "sequence"];
let outcome: Outcome;

beforeAll(async () => {
  const size = ["--preset", "quick", "--train", "8", "--test", "8", "--model", "rnn_small", "--json"];
  const places = ["--out", path.join(folder, "reports"), "--store", path.join(folder, "cells")];
  outcome = await inProcess(["bench", "run", "moment-rank2", "--tracks", tracks.join(), ...size, ...places]);
});

test("an idea on several tracks is one family: each report has both p-values, and verifies by itself", () => {
  expect([outcome.err, outcome.code].join("\n")).toMatch(/moment-rank2 on sequence: done\n+0$/);
  const { reports } = JSON.parse(outcome.out) as { reports: { track: string; file: string }[] };
  expect(reports.map(({ track }) => track)).toEqual(tracks);
  const stored = reports.map(({ file }) => parseReport(fs.readFileSync(file, "utf8"), file) as ReportV2);
  stored.forEach((report, at) => {
    const { family, statistics } = report.bench_report;
    expect(family).toMatchObject({
      own: at,
      members: tracks.map((track) => ({ idea: "moment-rank2", track })),
    });
    expect(family.members[at]!.p_value).toBe(statistics.sign_flip.p_value);
    expect(family.members).toEqual(stored[0]!.bench_report.family.members);
    expect(verifyReport(report).faults).toEqual([]);
    expect(fs.existsSync(path.join(folder, "reports", tracks[at]!, "bench_report.html"))).toBe(true);
  });
});

test("a track named twice, or nothing after --tracks, is a usage error", async () => {
  for (const words of [
    ["--track", "dynamics", "--track", "dynamics"],
    ["--tracks", "dynamics,"],
  ])
    expect((await inProcess(["bench", "run", "moment-rank2", ...words])).code).toBe(2);
});

/** The place in its family, and the p of its members, that a partial report knows; of itself it has a seed or none. */
async function partialFamily(folder: string) {
  const outcome = await inProcess(["bench", "report", folder, "--partial"]);
  const file = path.join(folder, "bench_report.partial.json");
  expect(outcome.code, outcome.err).toBe(0);
  const { own, members } = (parseReport(fs.readFileSync(file, "utf8"), file) as ReportV2).bench_report.family;
  return { own, known: members.map(({ p_value: p }, at) => (at === own ? null : p)) };
}

test("a family that was stopped is resumed whole: the report that was there is written again with every p", async () => {
  const here = process.cwd();
  const place = fs.realpathSync(emptyFolder());
  process.chdir(place);
  try {
    const size = ["--preset", "quick", "--train", "8", "--test", "8", "--jobs", "1"];
    const words = [
      "bench",
      "run",
      "moment-rank2",
      "--tracks",
      tracks.join(),
      "--model",
      "rnn_small",
      ...size,
    ];
    const onNote = (text: string): void => void (/on sequence: \[10\//.test(text) && process.emit("SIGINT"));
    expect((await inProcess(words, recordingTerminal({ onNote }))).code).toBe(130);
    const file = path.join("reports", "moment-rank2", "dynamics", "bench_report.json");
    const membersIn = (): (number | null)[] =>
      (parseReport(fs.readFileSync(file, "utf8"), file) as ReportV2).bench_report.family.members.map(
        (one) => one.p_value,
      );
    expect(membersIn()).toEqual([expect.any(Number), null]);
    const partial = await partialFamily(path.join("reports", "moment-rank2", "sequence"));
    expect(partial).toEqual({ own: 1, known: [membersIn()[0], null] });
    const resumed = await inProcess(["bench", "resume", path.join("reports", "moment-rank2", "sequence")]);
    expect(resumed.code).toBe(0);
    expect(membersIn()).toEqual([expect.any(Number), expect.any(Number)]);
  } finally {
    process.chdir(here);
  }
});
