import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { RunRecord } from "../../src/bench/record.js";
import { buildReport, serializeReport } from "../../src/bench/report/index.js";
import { sampleRun, secondValues } from "../bench/report/sample-run.js";
import { emptyFolder, filesBelow } from "./command.js";
import { inProcess } from "./recording-terminal.js";

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../bench/fixtures/${name}.json`, import.meta.url));

/** The folder of a run's report. */
function folderOf(run: RunRecord): string {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, "bench_report.json"), serializeReport(buildReport(run)));
  return folder;
}

const better = secondValues.map((x, at) => x * (0.5 + at / 20));

test("two like runs stand side by side, seeds paired, and the last line says what the pairs say", async () => {
  const [a, b] = [folderOf(sampleRun()), folderOf(sampleRun({ idea: better }))];
  const { code, out, err } = await inProcess(["bench", "compare", a, path.join(b, "bench_report.json")]);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^A: .*bench_report\.json\nB: .*bench_report\.json\n/);
  expect(out).toMatch(/\nidea\.mean +0\.00759965 +0\.00\d+\n/);
  expect(out).toMatch(/\nstrict caps +test-selection +test-selection\n/);
  expect(out).toMatch(/\nseed +idea of A +idea of B +B − A\n0 +0\.00900268 +0\.00450134 +-0\.00450134\n/);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(
    /^On 8 shared seeds the idea of B \(Moment-preserving rank-2 compression\) is better: -0\.00\d+ \(-\d+(\.\d)? % of A\), interval .*, 8\/8 seeds won, exact sign-flip p = 0\.0078125 for this comparison alone\.$/,
  );
  expect([...filesBelow(a), ...filesBelow(b)]).toEqual(["bench_report.json", "bench_report.json"]);
});

test("--json prints one document with the pairs and the figures", async () => {
  const [a, b] = [folderOf(sampleRun()), folderOf(sampleRun({ idea: better }))];
  const json = JSON.parse((await inProcess(["bench", "compare", a, b, "--json"])).out) as {
    alike: boolean;
    figures: { name: string; a: unknown; b: unknown }[];
    paired: { idea: { differences: number[]; wins: number }; baseline: { identical: boolean } };
    seeds: { shared: string[] };
  };
  expect(json.alike).toBe(true);
  expect(json.paired.idea.differences).toEqual(better.map((x, at) => x - secondValues[at]!));
  expect(json.paired.baseline.identical).toBe(true);
  expect(json.seeds.shared).toEqual([..."01234567"]);
  expect(json.figures.find(({ name }) => name === "idea.std")).toBeDefined();
});

test("unlike runs are refused with every difference, exit code 2, also as JSON", async () => {
  const run = sampleRun();
  const other = {
    ...run,
    model: "transformer_tiny",
    protocol: { ...run.protocol, testSize: 2000 },
    provenance: { ...run.provenance, fingerprint: "fedcba9876543210" },
  };
  const words = ["bench", "compare", folderOf(run), folderOf(other)];
  const { code, out, err } = await inProcess(words);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/E_UNLIKE: A \(.*\) and B \(.*\) are not alike/);
  expect(err).toContain('\n  model: "rnn_small" in A, "transformer_tiny" in B');
  expect(err).toContain("\n  protocol.n_test: 400 in A, 2000 in B");
  expect(err).toContain('\n  provenance.fingerprint: "0123456789abcdef" in A, "fedcba9876543210" in B');
  expect(err.match(/ in A, /g)?.length).toBe(3);
  const json = await inProcess([...words, "--json"]);
  expect(json.code).toBe(2);
  const found = JSON.parse(json.out) as { alike: boolean; differences: unknown[] };
  expect([found.alike, found.differences.length]).toEqual([false, 3]);
  expect(found).not.toHaveProperty("figures");
});

test("a report of version 1 beside itself: what neither says is named; the two reports are refused", async () => {
  const moment = fixture("moment_preserving");
  const same = await inProcess(["bench", "compare", moment, moment]);
  expect(same.code).toBe(0);
  expect(same.out).toMatch(
    /note: neither report says, taken to be the same: metric, .*provenance\.fingerprint/,
  );
  expect(same.out).toMatch(/The ideas of A and B have the same values on all 8 shared seeds\.$/);
  const pivot = await inProcess(["bench", "compare", moment, fixture("residual_pivoted")]);
  expect(pivot.code).toBe(1);
  expect(pivot.err).toMatch(/E_REPORT: .*residual_pivoted\.json does not hold: .*per_seed\[6\]/);
});

test("baselines that differ under the same settings are said; what a report's texts hide is shown", async () => {
  const run = sampleRun({ baseline: [...sampleRun().baseline.values.slice(0, 7), 0.0029] });
  const odd = { ...run, idea: { ...run.idea, title: "\u001b[2Jx" } };
  const { code, out } = await inProcess(["bench", "compare", folderOf(sampleRun()), folderOf(odd)]);
  expect(code).toBe(0);
  expect(out).toContain("something outside the settings took part");
  expect(out).not.toContain("\u001b");
  expect(out).toContain("\\u{1b}[2Jx");
});

test("one report, or three, is no comparison", async () => {
  const one = await inProcess(["bench", "compare", fixture("moment_preserving")]);
  expect([one.code, one.err]).toEqual([2, expect.stringMatching(/E_USAGE.*expected two report files/)]);
  const missing = await inProcess(["bench", "compare", "no-such.json", "nor-this.json"]);
  expect([missing.code, missing.err]).toEqual([
    2,
    expect.stringMatching(/bench compare: cannot read no-such/),
  ]);
});
