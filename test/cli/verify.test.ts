import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildReport, serializeReport } from "../../src/bench/report/index.js";
import { sampleRun } from "../bench/report/sample-run.js";
import { emptyFolder, gradstand } from "./command.js";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../bench/fixtures/${name}.json`, import.meta.url));

/** A copy of a report in which one text is replaced, which must occur. */
function altered(name: string, from: string, to: string): string {
  const text = fs.readFileSync(fixture(name), "utf8");
  expect(text).toContain(from);
  const file = path.join(emptyFolder(), "report.json");
  fs.writeFileSync(file, text.replace(from, to));
  return file;
}

test("the moment report holds: p = 8116/20000, verdicts partial/inconclusive and, strictly, inconclusive", async () => {
  const { code, out } = await gradstand(["bench", "verify", fixture("moment_preserving"), "--json"]);
  const result = JSON.parse(out) as {
    holds: boolean;
    checks: { path: string; recomputed: unknown }[];
    verdicts: { seed: Record<string, unknown>; strict: Record<string, unknown> };
  };
  expect(code).toBe(0);
  expect(result.holds).toBe(true);
  expect(result.checks.find(({ path: at }) => at.endsWith("comparison.p_value"))?.recomputed).toBe(
    8116 / 20000,
  );
  expect(result.verdicts.seed).toMatchObject({
    system_verdict: "partial",
    practical_verdict: "inconclusive",
    mechanism_ok: 1,
  });
  expect(result.verdicts.strict.verdict).toBe("inconclusive");
});

test("the pivot report's corrupt value is named, everything else is still printed, exit code 1", async () => {
  const { code, out } = await gradstand(["bench", "verify", fixture("residual_pivoted")]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /1 value does not hold:\s+bench_report\.baseline\.full\.per_seed\[6\] is 1\.1204972262955322, should be 1\.12049722671508(?:79|8)/,
  );
  expect(out).toMatch(/✓ bench_report\.comparison\.p_value = 0\.84055/);
  expect(out).toMatch(/Taken on trust/);
  expect(out).toMatch(/practical: no_effect/);
  expect(out).toMatch(/verdict: inconclusive/);
});

test("with that value put right the pivot report holds: p = 16811/20000", async () => {
  const file = altered("residual_pivoted", "1.1204972262955322", "1.1204972267150879");
  const { code, out } = await gradstand(["bench", "verify", file, "--json"]);
  const result = JSON.parse(out) as { checks: { path: string; recomputed: unknown; holds: boolean }[] };
  expect(code).toBe(0);
  expect(result.checks.every(({ holds }) => holds)).toBe(true);
  expect(result.checks.find(({ path: at }) => at.endsWith("comparison.p_value"))?.recomputed).toBe(
    16811 / 20000,
  );
});

test("a figure altered by hand is named, exit code 1", async () => {
  const file = altered("moment_preserving", '"p_value": 0.4058', '"p_value": 0.0058');
  const { code, out } = await gradstand(["bench", "verify", file]);
  expect(code).toBe(1);
  expect(out).toMatch(/bench_report\.comparison\.p_value is 0\.0058, should be 0\.4058/);
});

test("a file that is no JSON, or lacks a key, is named with its place, exit code 1", async () => {
  const broken = path.join(emptyFolder(), "broken.json");
  fs.writeFileSync(broken, '{"bench_report": {');
  const notJson = await gradstand(["bench", "verify", broken]);
  expect(notJson.code).toBe(1);
  expect(notJson.err).toMatch(/E_REPORT.*broken\.json/);
  const lacking = altered("moment_preserving", '"per_seed_diffs"', '"per_seed_differences"');
  const lacks = await gradstand(["bench", "verify", lacking]);
  expect(lacks.code).toBe(1);
  expect(lacks.err).toMatch(/E_REPORT.*bench_report\.comparison\.per_seed_diffs/);
});

test("per-seed values that cannot be computed with, or a device, are refused with the file's name", async () => {
  const huge = altered("moment_preserving", "0.009002679027616978", "1e308");
  fs.writeFileSync(huge, fs.readFileSync(huge, "utf8").replace("0.010305776260793209", "1e308"));
  const beyond = await gradstand(["bench", "verify", huge]);
  expect(beyond.err).toMatch(/E_REPORT.*report\.json.*cannot be computed with/);
  expect(beyond.code).toBe(1);
  const folder = await gradstand(["bench", "verify", path.dirname(huge)]);
  expect(folder.err).toMatch(/E_USAGE.*it is not a file/);
  expect(folder.code).toBe(2);
});

test("the figures of an own report are counted by section, and listed with --all; one at fault is always shown", async () => {
  const report = buildReport(sampleRun());
  const file = path.join(emptyFolder(), "own.json");
  fs.writeFileSync(file, serializeReport(report));
  const short = await gradstand(["bench", "verify", file]);
  expect(short.code).toBe(0);
  expect(short.out).toMatch(/✓ bench_report\.comparison: \d+ figures/);
  expect(short.out).not.toMatch(/per_seed_diffs\[3\]/);
  const long = await gradstand(["bench", "verify", file, "--all"]);
  expect(long.out).toMatch(/✓ bench_report\.comparison\.per_seed_diffs\[3\] = /);
  const comparison = { ...report.bench_report.comparison, idea_wins: 7 };
  fs.writeFileSync(
    file,
    serializeReport({ ...report, bench_report: { ...report.bench_report, comparison } }),
  );
  const faulty = await gradstand(["bench", "verify", file]);
  expect(faulty.code).toBe(1);
  expect(faulty.out).toMatch(/✗ bench_report\.comparison\.idea_wins = 3 reported 7/);
});
