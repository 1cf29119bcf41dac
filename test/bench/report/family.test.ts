import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../../src/bench/record.js";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import {
  buildFamilyReport,
  buildReport,
  parseReport,
  plainVerdict,
  phraseText,
  reportMarkdown,
  reportPage,
  reportView,
  serializeReport,
  verifyReport,
  type ReportV2,
} from "../../../src/bench/report/index.js";
import { valueAt, withValueAt } from "../../../src/bench/report/path.js";
import { benjaminiHochberg, holm } from "../../../src/stats/index.js";
import { firstValues, sampleRun, secondValues } from "./sample-run.js";

const costly = recomputation();
/** Seven of eight seeds better: significant alone, not when three times the p is asked for. */
const gain = firstValues.map((value, at) => Math.fround(value - (at === 3 ? -0.0024 : 0.002 * (1 + at / 9))));
const runs: readonly RunRecord[] = [
  { ...sampleRun({ selection: "validation", idea: gain }), track: "dynamics" },
  { ...sampleRun({ selection: "validation" }), track: "field" },
  { ...sampleRun({ selection: "validation", idea: secondValues.toReversed() }), track: "recall" },
];
const plans = runs.map(({ idea, track, model }) => ({ idea: idea.name, track, model }));
const reports = runs.map((_, at) => buildFamilyReport(plans, runs, at, costly));
const alone = buildReport(runs[0]!, costly);
const pOf = ({ bench_report: { statistics } }: ReportV2): number => statistics.sign_flip.p_value;
const reread = (report: ReportV2) => parseReport(serializeReport(report), "bench_report.json");

describe("a family of comparisons", () => {
  test("every report has every member's p, adjusted by Holm and by Benjamini–Hochberg", () => {
    const ps = reports.map(pOf);
    const [strict, loose] = [holm(ps), benjaminiHochberg(ps)];
    reports.forEach(({ bench_report: { family } }, own) => {
      expect(family).toEqual({
        rule: "holm",
        own,
        members: plans.map((plan, at) => ({
          ...plan,
          p_value: ps[at],
          holm: strict[at],
          benjamini_hochberg: loose[at],
        })),
      });
    });
  });

  test("Holm's p decides: what is significant alone is not in the family", () => {
    const p = pOf(alone);
    expect(p < 0.05 && 3 * p > 0.05).toBe(true);
    expect(alone.bench_report.verdicts.strict.verdict).toBe("worked");
    const { strict, seed_v1: seed } = reports[0]!.bench_report.verdicts;
    expect(strict.verdict).toBe("inconclusive");
    expect(strict.reasons[0]).toBe(
      `exact sign-flip p = ${p}, adjusted by Holm in a family of 3 comparisons: ${3 * p}, which is not below 0.05`,
    );
    expect(seed.practical_verdict).toBe("worked");
    expect(reports[0]!.confidence).toBe(alone.confidence + 1);
    expect(reports[0]!.limitations).toMatch(
      /^This report is of the track dynamics, one of 3 that were tried/,
    );
  });

  test("a report of it verifies by itself", () => {
    for (const report of reports)
      expect(verifyReport(reread(report), costly)).toMatchObject({ holds: true, faults: [] });
  });

  test("a comparison that has not finished, and one that diverged, count as p = 1", () => {
    const p = pOf(alone);
    const lost = { ...runs[1]!, ideaArm: { ...runs[1]!.ideaArm, values: firstValues.map(() => Infinity) } };
    const { verdict, bench_report: bench } = buildFamilyReport(plans, [runs[0], lost, undefined], 0, costly);
    expect(bench.family.members.map((one) => [one.p_value, one.holm])).toEqual([
      [p, 3 * p],
      [NaN, NaN],
      [null, null],
    ]);
    expect(verdict).toContain("1 of them not finished, counted as no evidence");
    const whole = buildFamilyReport(plans, [runs[0], undefined, undefined], 0, costly);
    expect(verifyReport(reread(whole), costly).holds).toBe(true);
  });

  test.each([
    ["members[0].p_value", (value: number) => value / 2],
    ["members[1].p_value", (value: number) => value / 2],
    ["members[2].holm", (value: number) => value / 2],
    ["members[0].benjamini_hochberg", (value: number) => value / 2],
  ])("%s altered is named", (place, change) => {
    const path = `bench_report.family.${place}`;
    const report = reports[0]!;
    const altered = withValueAt(report, path, change(Number(valueAt(report, path))));
    const { faults } = verifyReport(altered, costly);
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) expect(fault.path).toMatch(/^bench_report\.family/);
  });

  test("another report's place, or none, is noticed", () => {
    const moved = withValueAt(reports[0]!, "bench_report.family.own", 1);
    expect(verifyReport(moved, costly).holds).toBe(false);
    const nowhere = withValueAt(reports[0]!, "bench_report.family.own", 3);
    expect(() => reread(nowhere)).toThrow("family.own is 3, but the family has 3 members");
  });

  test("page, Markdown and plain verdict show it; of a report alone they say nothing", () => {
    const view = reportView(reports[0]!, "bench_report.json", costly);
    const single = reportView(alone, "bench_report.json", costly);
    expect(reportPage(view)).toMatch(
      /<h2 id="family-heading">Family<\/h2>[\s\S]*data-reported="bench_report.family.members\[2\].holm"/,
    );
    expect(reportMarkdown(view)).toContain("| family of 3 | p | Holm (decides) | Benjamini–Hochberg |");
    expect(plainVerdict(view).sentences.map(phraseText).join(" ")).toContain(
      "one of 3 comparisons made together",
    );
    for (const text of [reportPage(single), reportMarkdown(single), alone.verdict])
      expect(text).not.toMatch(/id="family"|comparisons made|family of/);
    expect(alone.bench_report.family.members).toHaveLength(1);
    expect(alone.bench_report.family.members[0]).toMatchObject({ p_value: pOf(alone), holm: pOf(alone) });
  });
});
