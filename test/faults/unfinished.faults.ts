import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parseReport, type ReportV2 } from "../../src/bench/report/index.js";
import { generator } from "../../src/random/index.js";
import { folderWith, ideaText } from "../bench/plugins/user-file.js";
import { valuesOf } from "../cli/report-values.js";
import { gradstand, type Outcome } from "../cli/command.js";
import { expectNothingHalfWritten, expectNoTemporaries } from "./runs.js";

/** As long as a file named `armed` holds the first number that the change of a seed draws, training that seed does `harm`. */
const harmful = (harm: string): string =>
  ideaText(
    {
      change: `({ strength }, rng) => {
    const armed = fs.existsSync("armed") && fs.readFileSync("armed", "utf8") === String(rng.uniform());
    return { hidden: (h) => { if (armed) { ${harm} } return h.mul(strength); } };
  }`,
    },
    'import fs from "node:fs";',
  );

const words = (
  "bench run ./mine.ts --seeds 6 --tuning-seeds 1 --grid lr=0.001,0.01,0.1 --epochs 1 --train 8 --validation 8 --test 8 " +
  "--jobs 2"
).split(" ");

/** A final seed; the trial before the training is of seed 0. */
const armedSeed = 3;
const folderOf = (folder: string): string => path.join(folder, "reports", "mine");

function reportIn(folder: string): ReportV2 {
  const file = path.join(folderOf(folder), "bench_report.json");
  return parseReport(fs.readFileSync(file, "utf8"), file) as ReportV2;
}

test.each([
  ["runs into its time-out", "for (;;);", ["--timeout", "5"], "timeout", /took longer than 5 s.*all it may/],
  ["kills its worker", "process.exit(7);", [], "failed", /its worker died 2 times/],
  [
    "fills the heap of its worker",
    "const held = []; for (;;) held.push(new Array(1000).fill(held.length));",
    ["--memory", "60"],
    "failed",
    /its worker died 2 times.*memory limit/,
  ],
])(
  "a cell that %s does not end the run: the report names it, verify agrees, and a resumed run has the values of a whole one",
  async (_what, harm, limits, status, reason) => {
    const folder = folderWith({ "mine.ts": harmful(harm) });
    fs.writeFileSync(
      path.join(folder, "armed"),
      String(generator(armedSeed).stream("idea").stream("change").uniform()),
    );
    const ended: Outcome = await gradstand([...words, ...limits], folder);
    expect(ended.code, ended.err).toBe(4);
    expect(ended.err).toMatch(
      /mine: 1 cell did not end. To try it again: npx gradstand bench resume reports.mine/,
    );
    const { cells, verdicts } = reportIn(folder).bench_report;
    const lost = cells.filter((cell) => cell.status !== "ok");
    expect(lost).toHaveLength(1);
    expect(lost[0]).toMatchObject({ status, arm: "idea", seed: String(armedSeed), metric: NaN });
    expect(lost[0]!.reason).toMatch(reason);
    expect(fs.existsSync(path.join(folder, ".gradstand", "cells", `${lost[0]!.key}.json`))).toBe(false);
    expect(verdicts.strict.caps.map(({ code }) => code)).toContain("unfinished-cells");
    expect(
      (await gradstand(["bench", "verify", path.join(folderOf(folder), "bench_report.json")], folder)).code,
    ).toBe(0);
    expectNoTemporaries(folder);

    fs.rmSync(path.join(folder, "armed"));
    const resumed = await gradstand(["bench", "resume"], folder);
    expect(resumed.code, resumed.err).toBe(0);
    expect(resumed.err.match(/\(stored/g)).toHaveLength(cells.length - lost.length);
    const whole = folderWith({ "mine.ts": harmful(harm) });
    expect((await gradstand(words, whole)).code).toBe(0);
    expect(valuesOf(reportIn(folder))).toEqual(valuesOf(reportIn(whole)));
    expectNothingHalfWritten(path.join(folder, "reports"));
    expect((await gradstand(["bench", "resume", "reports/mine"], folder)).code).toBe(5);
  },
);
