import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { buildReport, serializeReport } from "../../src/bench/report/index.js";
import { sampleRun, secondValues, type SampleSettings } from "../bench/report/sample-run.js";
import { emptyFolder, gradstand } from "./command.js";
import { inProcess } from "./recording-terminal.js";

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

/** The file of an own report, altered in its comparison. */
function ownReport(settings: SampleSettings = {}, comparison: object = {}): string {
  const report = buildReport(sampleRun(settings));
  const bench = report.bench_report;
  const altered = {
    ...report,
    bench_report: { ...bench, comparison: { ...bench.comparison, ...comparison } },
  };
  const file = path.join(emptyFolder(), "own.json");
  fs.writeFileSync(file, serializeReport(altered));
  return file;
}

test("an own report is counted by section, figures, quoted numbers and digests apart; the comparison is shown", async () => {
  const { code, out } = await inProcess(["bench", "verify", ownReport()]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /\n {2}✓ bench_report\.comparison: \d+ figures\n(?: {4}✓ bench_report\.comparison\.\w+ = .*\n)* {4}✓ bench_report\.comparison\.p_value = 0\.4058/,
  );
  expect(out).toMatch(/ {4}✓ bench_report\.comparison\.delta_mean = 0\.000845625 /);
  expect(out).not.toMatch(/per_seed_diffs\[/);
  expect(out).toMatch(/✓ metrics: \d+ quoted numbers\n/);
  const digests = /✓ digests of the sections: (\d+) digests\n/.exec(out)?.[1];
  const total =
    /\nThe report holds: (\d+) figures, (\d+) quoted numbers, (\d+) digests recomputed, none differs\.$/;
  const [, figures, quoted, counted] = total.exec(out) ?? [];
  expect(counted).toBe(digests);
  const { checks } = JSON.parse((await inProcess(["bench", "verify", ownReport(), "--json"])).out) as {
    checks: { kind: string; note?: string }[];
  };
  const ofKind = (kind: string): number => checks.filter((check) => check.kind === kind).length;
  expect([figures, quoted, counted].map(Number)).toEqual([
    ofKind("figure"),
    ofKind("quoted"),
    ofKind("digest"),
  ]);
  expect(checks.length).toBe(ofKind("figure") + ofKind("quoted") + ofKind("digest"));
  for (const { kind, note } of checks) expect(kind === "digest").toBe(note?.startsWith("SHA-256") ?? false);
});

test("--all shows every check on a line of its own", async () => {
  const own = (await inProcess(["bench", "verify", ownReport(), "--all"])).out;
  expect(own).toMatch(/✓ bench_report\.comparison\.per_seed_diffs\[3\] = 0\.00180862/);
  const words = ["bench", "verify", fixture("moment_preserving")];
  const { out } = await inProcess([...words, "--all"]);
  const { checks } = JSON.parse((await inProcess([...words, "--json"])).out) as { checks: unknown[] };
  expect(out.match(/^ {2}[✓✗] /gm)?.length).toBe(checks.length);
});

test("in a report of version 1 the items of an array share a line, and the numbers that a text quotes", async () => {
  const { out } = await inProcess(["bench", "verify", fixture("moment_preserving")]);
  expect(out).toMatch(
    /✓ bench_report\.comparison\.per_seed_diffs\[\] = 0\.0020592, 0\.00492356, (\S+, ){5}0\.00215582\n/,
  );
  expect(out).toMatch(
    /✓ bench_report\.baseline\.sweep\[\]\.cfg\.lr = 0\.001, 0\.003, 0\.006 — as bench_report\.protocol\.grid\[\]\.lr\n/,
  );
  expect(out).toMatch(/✓ bench_report\.baseline\.sweep\[2\]\.mean = 0\.00675402 /);
  expect(out).toMatch(
    /✓ verdict quotes 0\.007600, 0\.006754, \+0\.000846, 0\.4058(, \S+)* — quoted in the text/,
  );
  expect(out.match(/✓ (verdict|limitations|metrics\.\w+) quotes/g)?.length).toBe(5);
  expect(out).toMatch(/The report holds: \d+ figures, \d+ quoted numbers recomputed, none differs\.$/);
});

test("a figure at fault is shown in its section, and again after everything else", async () => {
  const { code, out } = await inProcess(["bench", "verify", ownReport({}, { idea_wins: 7 })]);
  expect(code).toBe(1);
  expect(out).toMatch(/\n {2}✗ bench_report\.comparison\.idea_wins = 3 reported 7/);
  expect(out).toMatch(
    /Taken on trust[^]*seed-v1 [^]*\n1 value does not hold:\n.*idea_wins is 7, should be 3\n[^\n]*\n[^\n]*\n\nThe report does not hold: [^\n]*$/,
  );
});

test("--json keeps numbers that JSON cannot hold, as the report writes them", async () => {
  const diverged = ownReport({ idea: [NaN, -Infinity, ...secondValues.slice(2)] });
  const { out } = await inProcess(["bench", "verify", diverged, "--json"]);
  const { checks } = JSON.parse(out) as {
    checks: { path: string; reported: unknown; recomputed: unknown }[];
  };
  const at = (end: string): unknown[] =>
    checks.flatMap(({ path: name, reported, recomputed }) =>
      name.endsWith(end) ? [reported, recomputed] : [],
    );
  expect(at("comparison.delta_mean")).toEqual(["NaN", "NaN"]);
  expect(at("comparison.per_seed_diffs[0]")).toEqual(["NaN", "NaN"]);
});
