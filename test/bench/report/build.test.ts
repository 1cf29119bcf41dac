import { describe, expect, test } from "vitest";
import {
  buildReport,
  parseReport,
  serializeReport,
  verifyReport,
  type ReportV2,
} from "../../../src/bench/report/index.js";
import { leavesOf, valueAt, withValueAt } from "../../../src/bench/report/path.js";
import { firstValues, sampleRun, secondValues, type SampleSettings } from "./sample-run.js";
import { seedReport } from "./seed-report.js";

const build = (settings: SampleSettings = {}): ReportV2 => buildReport(sampleRun(settings));
const reread = (report: object) => parseReport(serializeReport(report), "bench_report.json");
const plus = (amount: number) => firstValues.map((value, at) => Math.fround(value + amount * (1 + at / 100)));

describe("the report of a run", () => {
  const report = build();

  test("holds, as built and as read from its file", () => {
    expect(verifyReport(report)).toMatchObject({ version: 2, holds: true, faults: [] });
    expect(reread(report)).toEqual(report);
    expect(serializeReport(reread(report))).toBe(serializeReport(report));
  });

  test.each([0, 1, 2])(
    "holds when the arms were best at unlike rates (the idea's at position %d)",
    (ideaBest) => {
      const unlike = build({ best: 1, ideaBest });
      expect(unlike.bench_report.idea.best_cfg).toEqual({ lr: [0.001, 0.003, 0.006][ideaBest] });
      expect(verifyReport(unlike).faults).toEqual([]);
    },
  );

  test("has every key that the two reports have, with its type, where the run has the thing", () => {
    const ideas =
      /mechanism_signature\.(?!predicted|observed|confirmed)|math_check|\.(rank|seeds)\b|^files|mechanism_signature$/;
    for (const name of ["moment_preserving", "residual_pivoted"] as const) {
      for (const [path, value] of leavesOf(seedReport(name))) {
        if (ideas.test(path)) continue;
        const own = valueAt(report, path);
        expect([path, typeof own]).toEqual([
          path,
          /(predicted|observed)$/.test(path) ? "number" : typeof value,
        ]);
      }
    }
  });

  test("has the figures of the report whose values it was given", () => {
    const given = seedReport("moment_preserving");
    for (const [path, value] of leavesOf(given)) {
      if (!/comparison|\.full\.|idea\.(mean|std|n|per_seed)/.test(path)) continue;
      const own = valueAt(report, path);
      if (typeof value !== "number") expect(own).toBe(value);
      else expect(Math.abs(Number(own) - value)).toBeLessThanOrEqual(1e-12 * Math.abs(value));
    }
    expect(report).toMatchObject({
      worked: false,
      system_verdict: "partial",
      practical_verdict: "inconclusive",
      mechanism_ok: 1,
      system_judged: true,
    });
  });

  test("states the effect with its interval, the seeds won, the checks and both rules", () => {
    expect(report.verdict).toBe(
      "The tuned baseline beats every floor. Moment-preserving rank-2 compression on dynamics with rnn_small: mean " +
        "test MSE 0.00759965 versus 0.00675402 for the tuned baseline (paired delta +0.000845625, worse; 95 % interval " +
        "-0.00133485 to +0.00313162; 3/8 wins; p=0.4058, exact sign-flip p=0.40625). Mathematics: 2 of 2 identities " +
        "hold. Mechanism confirmed (claims and controls as they must be on 8 of 8 trained models). seed-v1: system " +
        "partial, practical inconclusive (not significant, mde_rel_pct not within 20, mechanism confirmed). strict: " +
        "inconclusive (capped: test-selection). With the caps lifted it would take 545 seed pairs to see a difference that matters.",
    );
  });

  test("computes its confidence and says what was taken off", () => {
    expect(report.confidence).toBe(8);
    expect(report.bench_report.confidence_reasons).toEqual([
      "-1: one track only",
      "-1: the best configuration was chosen on the test metric",
    ]);
  });

  test("compares the cost of the arms on their final cells", () => {
    const { cost } = report.bench_report;
    expect(cost).toEqual({ parameters: 13_000 / 12_994, steps: 1, seconds: 1 });
  });
});

describe("an uninformative run", () => {
  const report = build({ floor: firstValues.map((value) => value / 3) });

  test("says so first, and caps the strict verdict", () => {
    expect(report.bench_report.informative).toBe(false);
    expect(report.verdict).toMatch(
      /^Uninformative: the tuned baseline \(MSE 0\.00675402\) does not beat every floor \(mean .*, ridge .*\), so this run proves nothing/,
    );
    expect(report.verdict).not.toMatch(/seed pairs/);
    expect(report.limitations).toMatch(/400 training series prove nothing about the idea/);
    expect(report.bench_report.verdicts.strict.caps.map(({ code }) => code)).toContain("uninformative");
    expect(report.bench_report.floors.map(({ beaten }) => beaten)).toEqual([false, false]);
    expect(verifyReport(report).holds).toBe(true);
  });
});

describe("verdicts of whole runs", () => {
  const strict = { selection: "validation" } as const;

  test.each([
    ["a clear gain", { ...strict, idea: plus(-0.002) }, "worked", "worked", "worked"],
    ["a clear loss", { ...strict, idea: plus(0.002) }, "harmful", "harmful", "partial"],
    ["a gain that does not matter", { ...strict, idea: plus(-0.0001) }, "trivial", "worked", "partial"],
    ["identical arms", { ...strict, idea: firstValues }, "no_effect", "no_effect", "partial"],
    [
      "a quick run",
      { ...strict, idea: plus(-0.002), preset: "quick" },
      "inconclusive",
      "inconclusive",
      "inconclusive",
    ],
    [
      "a best rate at the edge",
      { ...strict, idea: plus(-0.002), best: 0 },
      "inconclusive",
      "worked",
      "inconclusive",
    ],
    [
      "a faked mechanism",
      { ...strict, idea: plus(-0.002), controlRefuted: false },
      "worked",
      "worked",
      "partial",
    ],
    [
      "an identity that failed",
      { ...strict, idea: plus(-0.002), checksPass: false },
      "worked",
      "worked",
      "partial",
    ],
    [
      "other tuning seeds",
      {
        ...strict,
        idea: plus(-0.002),
        tuningSeeds: { baseline: [0, 1, 2, 3], idea: [0, 1, 2, 3, 4, 5, 6, 7] },
      },
      "inconclusive",
      "worked",
      "inconclusive",
    ],
    ["higher is better", { ...strict, idea: plus(0.002), direction: "higher" }, "worked", "worked", "worked"],
  ] as const)("%s", (_, settings, verdict, practical, system) => {
    const report = build(settings as SampleSettings);
    const { strict: judged, seed_v1: seed } = report.bench_report.verdicts;
    expect([judged.verdict, seed.practical_verdict, judged.system_verdict]).toEqual([
      verdict,
      practical,
      system,
    ]);
    expect(verifyReport(reread(report))).toMatchObject({ holds: true, faults: [] });
  });

  test("no fewer seeds are recommended than can reach α", () => {
    const { needed_seeds } = build({ idea: plus(0.00001) }).bench_report.statistics;
    expect(needed_seeds.map(({ pairs }) => pairs)).toEqual([6, 6]);
  });

  test("no verdict is claimed for a quick run", () => {
    const report = build({ preset: "quick", selection: "validation", idea: plus(-0.002) });
    expect(report).toMatchObject({
      worked: false,
      system_verdict: "inconclusive",
      practical_verdict: "inconclusive",
      bench_report: { comparison: { verdict: "no significant win", system_worked: false } },
    });
    expect(report.verdict).toMatch(/^No verdict: a smoke run of the preset quick\./);
    expect(report.verdict).toContain("(a smoke run gives no verdict)");
  });

  test("unequal tuning is shown with both arms' seeds", () => {
    const { tuning } = build({
      tuningSeeds: { baseline: [0, 1, 2, 3], idea: [0, 1, 2, 3, 4, 5, 6, 7] },
    }).bench_report;
    expect(tuning).toMatchObject({ equal: false, baseline: { cells: 12 }, idea: { cells: 24 } });
    expect(tuning.inequalities).toEqual([
      "the baseline's configurations were ranked on 4 seeds, the idea's on 8",
    ]);
  });

  test("twenty-two pairs are tested by drawn sign patterns", () => {
    const baseline = Array.from({ length: 22 }, (_, at) => Math.fround(0.5 + ((at * 7) % 11) / 50));
    const idea = baseline.map((value, at) => Math.fround(value + ((at % 5) - 1.9) / 40));
    const report = build({ baseline, idea });
    expect(report.bench_report.statistics.sign_flip.method).toBe("monte-carlo");
    expect(report.verdict).toContain("Monte Carlo sign-flip p=");
    expect(report.bench_report.verdicts.strict.reasons.join()).toContain("Monte Carlo sign-flip p =");
    expect(`${report.verdict} ${report.bench_report.verdicts.strict.reasons.join()}`).not.toContain("exact");
    expect(verifyReport(report).holds).toBe(true);
  });
});

describe("diverged seeds", () => {
  const lost = (values: readonly number[], ...seeds: number[]) =>
    values.map((value, seed) => (seeds.includes(seed) ? Infinity : value));

  test.each([
    ["of the idea", { idea: lost(secondValues, 2, 5) }, 0, 2],
    ["of the baseline", { baseline: lost(firstValues, 1) }, 1, 0],
    ["of both, on one seed too", { baseline: lost(firstValues, 1), idea: lost(secondValues, 1, 4) }, 1, 2],
    ["of every kind", { idea: secondValues.map(() => NaN) }, 0, 8],
  ])("%s are never left out", (_, settings, baseline, idea) => {
    const report = build(settings);
    const { comparison, statistics, verdicts } = report.bench_report;
    expect(comparison.p_value).toBeNaN();
    expect(comparison.mde).toBeNaN();
    expect(statistics).toMatchObject({ t_interval: null, sign_flip_interval: null });
    expect(verdicts.strict.verdict).toBe("inconclusive");
    expect(report.worked).toBe(false);
    expect(report.verdict).toContain(
      `of 8 seeds each, ${idea} diverged with the idea and ${baseline} with the baseline`,
    );
    expect(verifyReport(reread(report))).toMatchObject({ holds: true, faults: [] });
  });

  test("lose against a seed that did not", () => {
    const report = build({ baseline: lost(firstValues, 0, 1), idea: lost(secondValues, 1, 3) });
    const expected = secondValues.filter(
      (value, at) => at === 0 || (at > 1 && at !== 3 && value < firstValues[at]),
    );
    expect(report.bench_report.comparison.idea_wins).toBe(expected.length);
  });

  test("in one arm alone cap the strict verdict", () => {
    const codes = (settings: SampleSettings) =>
      build(settings).bench_report.verdicts.strict.caps.map(({ code }) => code);
    expect(codes({ idea: lost(secondValues, 2) })).toContain("diverged-one-arm");
    expect(codes({ idea: lost(secondValues, 2), baseline: lost(firstValues, 3) })).not.toContain(
      "diverged-one-arm",
    );
  });

  test("leave no mechanism behind when all diverged", () => {
    const run = sampleRun({ idea: secondValues.map(() => Infinity) });
    const mechanism = { predicted: null, observed: null, confirmed: false };
    const report = buildReport({
      ...run,
      signatures: [],
      mechanism: { ...run.mechanism, mechanism, confirmed: false },
    });
    expect(report.bench_report.verdicts.strict).toMatchObject({ mechanism_stands: false });
    expect(report.confidence).toBeLessThan(8);
    expect(verifyReport(reread(report)).holds).toBe(true);
  });
});

test("a report in which everything was altered consistently but its digests is named by its section", () => {
  const report = withValueAt(build(), "bench_report.provenance.cpu", "another processor");
  expect(verifyReport(report).faults).toMatchObject([
    { path: "bench_report.provenance", why: "SHA-256 of the section" },
  ]);
});
