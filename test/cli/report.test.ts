import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildReport, reportPage, reportView, serializeReport } from "../../src/bench/report/index.js";
import { sampleRun } from "../bench/report/sample-run.js";
import { emptyFolder, filesBelow, gradstand } from "./command.js";
import { inProcess } from "./recording-terminal.js";

/** A copy of a report of version 1 in an empty folder. */
function copied(name: string): string {
  const file = path.join(emptyFolder(), "bench_report.json");
  fs.copyFileSync(fileURLToPath(new URL(`../bench/fixtures/${name}.json`, import.meta.url)), file);
  return file;
}

/** The folder of an own report. */
function ownFolder(title = "Moment-preserving rank-2 compression"): string {
  const folder = emptyFolder();
  const run = sampleRun();
  const report = buildReport({ ...run, idea: { ...run.idea, title } });
  fs.writeFileSync(path.join(folder, "bench_report.json"), serializeReport(report));
  return folder;
}

test("a folder's report is shown, and its page is written beside it", async () => {
  const folder = ownFolder();
  const { code, out, err } = await inProcess(["bench", "report", folder]);
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(filesBelow(folder)).toEqual(["bench_report.html", "bench_report.json"]);
  const page = fs.readFileSync(path.join(folder, "bench_report.html"), "utf8");
  expect(page).toBe(reportPage(reportView(buildReport(sampleRun()), "bench_report.json")));
  expect(out).toContain(`wrote: ${path.join(folder, "bench_report.html")}`);
  expect(out).toMatch(/effect +\+0\.000845625/);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(
    /^Moment-preserving rank-2 compression: inconclusive; .*next: npx gradstand bench verify \S*bench_report\.json$/,
  );
});

test("a report of version 1 is shown in plain words; Markdown and cells are written when asked for", async () => {
  const file = copied("moment_preserving");
  const { code, out } = await inProcess(["bench", "report", file, "--markdown", "--csv"]);
  expect(code).toBe(0);
  expect(filesBelow(path.dirname(file))).toEqual([
    "bench_report.html",
    "bench_report.json",
    "bench_report.md",
    "cells.csv",
  ]);
  expect(out).toMatch(
    /Over 8 paired seeds the mean test metric was 0\.00759965 with the idea and 0\.00675402/,
  );
  expect(out.trimEnd().split("\n").at(-1)).toMatch(
    /^An idea on dynamics: Inconclusive: .*; next: npx gradstand/,
  );
  expect(fs.readFileSync(path.join(path.dirname(file), "bench_report.md"), "utf8")).toMatch(/^## /);
  expect(fs.readFileSync(path.join(path.dirname(file), "cells.csv"), "utf8").split("\r\n").length).toBe(18);
});

test("a report that does not hold has its page, which says so, and exit code 1", async () => {
  const file = copied("residual_pivoted");
  const { code, out } = await inProcess(["bench", "report", file]);
  expect(code).toBe(1);
  expect(out).toContain("The report does not hold: bench_report.baseline.full.per_seed[6].");
  const page = fs.readFileSync(file.replace(".json", ".html"), "utf8");
  expect(page).toContain("This report does not hold");
});

test("--out writes into another folder, and --json names what was written", async () => {
  const folder = ownFolder();
  const out = path.join(emptyFolder(), "deep", "pages");
  const result = await inProcess(["bench", "report", folder, "--out", out, "--csv", "--json"]);
  const json = JSON.parse(result.out) as { written: string[]; holds: boolean; plain: { headline: string } };
  expect(json.written).toEqual([path.join(out, "bench_report.html"), path.join(out, "cells.csv")]);
  expect(json.holds).toBe(true);
  expect(json.plain.headline).toMatch(/^Inconclusive/);
  expect(filesBelow(folder)).toEqual(["bench_report.json"]);
  expect(filesBelow(out)).toEqual(["bench_report.html", "cells.csv"]);
});

test("nothing in a report's texts reaches the terminal as anything but visible text", async () => {
  const { out } = await inProcess(["bench", "report", ownFolder("\u001b[2J\u001b]0;mine\u0007\u202eevil")]);
  // eslint-disable-next-line no-control-regex
  expect(out).not.toMatch(/[\u0007\u001b\u202e]/);
  expect(out).toContain("\\u{1b}[2J\\u{1b}]0;mine\\u{7}\\u{202e}evil");
});

test("what cannot be shown is refused: no report, several, a folder without one, a file that is none", async () => {
  const none = await inProcess(["bench", "report"]);
  expect([none.code, none.err]).toEqual([
    2,
    expect.stringMatching(/E_USAGE.*expected one report file or folder.*none/),
  ]);
  const empty = await inProcess(["bench", "report", emptyFolder()]);
  expect([empty.code, empty.err]).toEqual([
    2,
    expect.stringMatching(/there is no bench_report\.json in the folder/),
  ]);
  const above = await inProcess(["bench", "report", path.dirname(ownFolder()), "--json"]);
  expect([above.code, above.err]).toEqual([2, expect.stringMatching(/name one of .*gradstand-test-/)]);
  const broken = path.join(emptyFolder(), "broken.json");
  fs.writeFileSync(broken, "{");
  const bad = await inProcess(["bench", "report", broken]);
  expect([bad.code, bad.err]).toEqual([1, expect.stringMatching(/E_REPORT.*broken\.json is not JSON/)]);
  expect(filesBelow(path.dirname(broken))).toEqual(["broken.json"]);
  const taken = ownFolder();
  fs.mkdirSync(path.join(taken, "bench_report.html"));
  const { code, err } = await inProcess(["bench", "report", taken]);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/E_OUTPUT.*bench_report\.html.*a folder of that name/),
  ]);
});

test("bench run writes the page of its report too", async () => {
  const folder = emptyFolder();
  const run = await gradstand("bench run moment-rank2 --preset quick --jobs 2".split(" "), folder);
  expect(run.code).toBe(0);
  const written = path.join(folder, "reports", "moment-rank2", "bench_report.html");
  const page = fs.readFileSync(written, "utf8");
  expect(page).toContain("No verdict: a smoke run, too small to judge anything by");
  const again = await gradstand(["bench", "report", path.dirname(written), "--json"], folder);
  expect(again.code).toBe(0);
  expect(fs.readFileSync(written, "utf8")).toBe(page);
});
