import { describe, expect, test } from "vitest";
import { GradstandError } from "../../../src/errors/index.js";
import {
  buildReport,
  parseReport,
  serializeReport,
  verifyReport,
  type Report,
} from "../../../src/bench/report/index.js";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import { leavesOf, valueAt, withValueAt } from "../../../src/bench/report/path.js";
import { mutationsOf } from "./mutations.js";
import { sampleRun, secondValues } from "./sample-run.js";
import { corruptPath, seedReport, soundReport, type SeedName } from "./seed-report.js";

const costly = recomputation();

/** What is found in a report that was altered and written to a file again. */
function found(report: Report): { path: string; alternatives?: readonly string[] }[] | "unreadable" {
  try {
    return [...verifyReport(parseReport(serializeReport(report), "report.json"), costly).faults];
  } catch (error) {
    if (error instanceof GradstandError && error.code === "E_REPORT") return "unreadable";
    throw error;
  }
}

const names: SeedName[] = ["moment_preserving", "residual_pivoted"];

describe.each(names)("each value of %s altered by hand", (name) => {
  const report = soundReport(name);
  const trustedPaths = verifyReport(report, costly).trusted.map(({ path }) => path);
  const trusted = {
    has: (path: string) => trustedPaths.includes(path.replace(/\[\d+\]$/, "")) || trustedPaths.includes(path),
  };
  const outcomes = mutationsOf(report).map((mutation) => ({ ...mutation, faults: found(mutation.report) }));

  test("is named, unless it is listed as taken on trust", () => {
    const missed = outcomes.filter(
      ({ path, faults }) => faults !== "unreadable" && faults.length === 0 && !trusted.has(path),
    );
    expect(missed.map(({ path }) => path)).toEqual([]);
    expect(outcomes.filter(({ faults }) => faults === "unreadable").map(({ path }) => path)).toEqual([
      "bench_report.bench_version",
    ]);
  });

  test("is named alone, with the value that it should be", () => {
    for (const { path, faults } of outcomes) {
      if (faults === "unreadable" || trusted.has(path)) continue;
      expect(faults).toHaveLength(1);
      expect([faults[0].path, ...(faults[0].alternatives ?? [])]).toContain(path);
    }
  });

  test("is told from what would explain the same, except where nothing in the report can", () => {
    const doubtful = outcomes.filter(
      ({ path, faults }) =>
        faults !== "unreadable" && !trusted.has(path) && (faults[0].path !== path || faults[0].alternatives),
    );
    expect(doubtful.map(({ path }) => path)).toEqual(
      name === "moment_preserving"
        ? ["bench_report.protocol.epochs", "bench_report.protocol.n_train", "bench_report.protocol.n_test"]
        : ["bench_report.mechanism_signature.observed", "bench_report.mechanism_signature.relative_error"],
    );
  });

  test("gives back the value that was there", () => {
    for (const { path, report: altered } of mutationsOf(report)) {
      if (!/per_seed\[\d\]$|comparison\.|\.std$|full\.mean$|idea\.mean$/.test(path)) continue;
      const original = valueAt(report, path);
      const implied = verifyReport(altered, costly).faults[0].implied;
      if (typeof original === "number") expect(implied).toBeCloseTo(original, 14);
      else expect(implied).toBe(original);
    }
  });
});

test.each([
  [
    "moment_preserving",
    [
      "baseline.sweep[0].mean",
      "baseline.sweep[1].mean",
      "mechanism_signature.trained_model.raw_norm",
      "mechanism_signature.trained_model.compressed_relative_error",
      "mechanism_signature.trained_model.target",
      "mechanism_signature.trained_model.predicted_residual",
      "mechanism_signature.predicted",
      "mechanism_signature.observed",
      "protocol.seeds",
    ],
  ],
  [
    "residual_pivoted",
    [
      "baseline.sweep[1].mean",
      "baseline.sweep[2].mean",
      "idea.sweep[1].mean",
      "idea.sweep[2].mean",
      "mechanism_signature.prediction",
      "mechanism_signature.trained_model",
    ],
  ],
] as const)("of %s nothing else is taken on trust than names, wording, and these", (name, measured) => {
  const wording = /^(verdict|limitations|files|confidence|metrics\.\w+)$|\.(bench_version|track|model)$/;
  const trusted = verifyReport(soundReport(name), costly).trusted.filter(({ path }) => !wording.test(path));
  expect(trusted.map(({ path }) => path)).toEqual(measured.map((path) => `bench_report.${path}`));
  for (const { why } of trusted) expect(why).toMatch(/not reported|not derived|a name or a text/);
});

test("a figure that is altered beside the corrupt value is named beside it", () => {
  const report = seedReport("residual_pivoted");
  for (const path of [
    "bench_report.comparison.p_value",
    "bench_report.comparison.idea_wins",
    "bench_report.baseline.full.std",
    "bench_report.comparison.per_seed_diffs[6]",
    "bench_report.idea.per_seed[2]",
    "system_verdict",
    "mechanism_ok",
  ]) {
    const mutation = mutationsOf(report).find((one) => one.path === path)!;
    const faults = verifyReport(mutation.report, costly).faults.map((fault) => fault.path);
    expect(faults.toSorted()).toEqual([corruptPath, path].toSorted());
  }
});

test("several per-seed values altered at once are all named", () => {
  const report = seedReport("moment_preserving");
  const paths = [
    "bench_report.baseline.full.per_seed[0]",
    "bench_report.baseline.full.per_seed[3]",
    "bench_report.idea.per_seed[5]",
  ];
  const altered = paths.reduce(
    (document, path) => withValueAt(document, path, Math.fround(1.01 * Number(valueAt(document, path)))),
    report,
  );
  const { faults, repaired } = verifyReport(altered, costly);
  expect(faults.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
  expect(leavesOf(repaired)).toEqual(leavesOf(report));
});

test("a number in a sentence that no figure rounds to is named with its text", () => {
  const report = seedReport("moment_preserving");
  const verdict = String(valueAt(report, "verdict")).replace("0.007600", "0.007601");
  const [fault, ...others] = verifyReport(withValueAt(report, "verdict", verdict), costly).faults;
  expect(others).toEqual([]);
  expect(fault).toMatchObject({ path: "verdict", reported: "0.007601", implied: "0.007600" });
});

test("a report that does not recompute is right not to call itself judged", () => {
  const report = withValueAt(seedReport("residual_pivoted"), "system_judged", false);
  expect(verifyReport(report, costly).faults.map(({ path }) => path)).toEqual([corruptPath]);
});

test("a seed that occurs twice is named", () => {
  const report = withValueAt(seedReport("moment_preserving"), "bench_report.protocol.seeds[3]", 4);
  const { faults } = verifyReport(report, costly);
  expect(faults).toHaveLength(1);
  expect([faults[0].path, ...(faults[0].alternatives ?? [])].toSorted()).toEqual([
    "bench_report.protocol.seeds[3]",
    "bench_report.protocol.seeds[4]",
  ]);
});

test("a bare bench report is verified as well, with paths of its own", () => {
  const bare = (seedReport("residual_pivoted") as unknown as { bench_report: Report }).bench_report;
  const { faults, verdicts } = verifyReport(bare, costly);
  expect(faults.map(({ path }) => path)).toEqual(["baseline.full.per_seed[6]"]);
  expect(verdicts.seed.practical_verdict).toBe("no_effect");
});

test("a setting that a text quotes is named before the text", () => {
  const report = withValueAt(seedReport("moment_preserving"), "bench_report.protocol.epochs", 9);
  expect(verifyReport(report, costly).faults).toMatchObject([
    { path: "bench_report.protocol.epochs", reported: 9, implied: 8, alternatives: ["limitations"] },
  ]);
});

test("where the direction alone could explain the seeds won, both are named", () => {
  const report = seedReport("moment_preserving");
  const single = [valueAt(report, "bench_report.baseline.sweep[2]")!];
  const grid = [valueAt(report, "bench_report.protocol.grid[2]")!];
  const metrics = withValueAt(report, "metrics", {});
  const once = withValueAt(
    withValueAt(metrics, "bench_report.baseline.sweep", single),
    "bench_report.protocol.grid",
    grid,
  );
  expect(verifyReport(once, costly).holds).toBe(true);
  const turned = withValueAt(once, "bench_report.metric_direction", "higher is better");
  expect(verifyReport(turned, costly).faults).toMatchObject([
    { path: "bench_report.comparison.idea_wins", alternatives: ["bench_report.metric_direction"] },
  ]);
});

test("a value of another kind than the others is no fault when everything agrees with it", () => {
  const idea = secondValues.map((value, at) => (at === 3 ? value * 1.001 : value));
  const mixed = buildReport(sampleRun({ idea }));
  expect(verifyReport(mixed, costly)).toMatchObject({ holds: true, faults: [] });
});
