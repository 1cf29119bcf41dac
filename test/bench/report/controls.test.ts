import { describe, expect, test } from "vitest";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import {
  benchOf,
  buildReport,
  cellsCsv,
  parseReport,
  reportMarkdown,
  reportPage,
  reportSchema,
  reportView,
  serializeReport,
  verifyReport,
} from "../../../src/bench/report/index.js";
import { valueAt, withValueAt } from "../../../src/bench/report/path.js";
import { holm, mean, signFlipInterval, signFlipTest } from "../../../src/stats/index.js";
import { mutationsOf } from "./mutations.js";
import { figuresOf } from "./page-figures.js";
import { withControls } from "./sample-controls.js";
import { firstValues, sampleRun, secondValues } from "./sample-run.js";
import { isValid } from "./schema-validation.js";

const costly = recomputation();
const run = withControls(sampleRun());
const report = buildReport(run);
const { controls } = report.bench_report;

describe("the section controls", () => {
  test("has each control beside the idea and beside the baseline, p adjusted by Holm within the controls", () => {
    const idea = run.ideaArm.values;
    const pairs = run.controls.map(({ values }) => idea.map((value, seed) => value - values[seed]));
    const ps = pairs.map((diffs) => signFlipTest(diffs).p);
    const adjusted = holm(ps);
    expect(controls!.arms).toHaveLength(3);
    controls!.arms.forEach(({ versus_idea: pair, per_seed, mean: own, best_cfg, sweep }, at) => {
      expect(per_seed).toEqual(run.controls[at].values);
      expect(own).toBeCloseTo(mean(per_seed), 15);
      expect(pair).toEqual({
        delta_mean: mean(pairs[at]),
        wins: pairs[at].filter((difference) => difference < 0).length,
        n_pairs: 8,
        p_value: ps[at],
        p_adjusted: adjusted[at],
        interval: signFlipInterval(pairs[at], 0.05),
      });
      expect(best_cfg).toEqual(run.ideaArm.best);
      expect(sweep).toHaveLength(at === 2 ? 0 : 3);
    });
    const versus = run.controls.map(({ values }) =>
      values.map((value, at) => value - run.baseline.values[at]),
    );
    expect(controls!.arms.map(({ versus_baseline: pair }) => [pair.delta_mean, pair.p_value])).toEqual(
      versus.map((diffs) => [mean(diffs), signFlipTest(diffs).p]),
    );
  });

  test("says what the idea is beside them: what it is not better than comes first", () => {
    expect(controls!.arms.map(({ idea_is: is }) => is)).toEqual(["better", "not shown to differ", "worse"]);
    expect(controls!.finding).toBe(
      "The idea is worse than its control oracle. The idea is not shown to be better than its control alike. " +
        "The idea is better than its control much-worse.",
    );
    expect(report.verdict).toContain(controls!.finding);
    expect(controls!.is_baseline.map(({ name }) => name)).toEqual(["plain"]);
  });

  test("has the costs over the baseline", () => {
    const { cost } = controls!.arms[0];
    expect(cost).toEqual({ parameters: 6497 / 12_994, steps: 1, seconds: expect.closeTo(0.5, 12) as number });
    expect(controls!.arms[2].cost).toMatchObject({ steps: null, seconds: null });
  });

  test("of a control with a diverged seed is not comparable, and still a member of the family", () => {
    const lost = run.controls.map((arm, at) =>
      at === 1 ? { ...arm, values: [Infinity, ...arm.values.slice(1)] } : arm,
    );
    const { controls: section } = buildReport({ ...run, controls: lost }).bench_report;
    expect(section!.arms[1].idea_is).toBe("not comparable");
    expect(section!.arms[1].versus_idea.p_adjusted).toBeNaN();
    expect(section!.arms[0].versus_idea.p_adjusted).toBe(3 / 128);
    expect(section!.finding).toContain("not comparable with its control alike.");
  });

  test("is not there where no control was asked for", () => {
    expect(buildReport(sampleRun()).bench_report).not.toHaveProperty("controls");
  });
});

test("the finding is about the direction of the metric", () => {
  const higher = buildReport(withControls(sampleRun({ direction: "higher" })));
  expect(higher.bench_report.controls!.arms.map(({ idea_is: is }) => is)).toEqual([
    "better",
    "not shown to differ",
    "worse",
  ]);
  expect(verifyReport(higher, costly).faults).toEqual([]);
});

test("a report with controls verifies, is read again as it was, and fits the schema", () => {
  expect(verifyReport(report, costly).faults).toEqual([]);
  const text = serializeReport(report);
  expect(parseReport(text, "report.json")).toEqual(report);
  expect(isValid(reportSchema(2), JSON.parse(text))).toBe(true);
});

test("each value of the controls altered by hand is named, alone and by its path where it is derivable", () => {
  const derivable =
    /\.(mean|std|n|alpha|finding|idea_is|kind)$|per_seed\[\d+\]$|best_cfg|versus_|cost\.|metric$|steps$/;
  const short = buildReport(
    withControls(sampleRun({ baseline: firstValues.slice(0, 6), idea: secondValues.slice(0, 6) })),
  );
  const own = mutationsOf(short).filter(
    ({ path }) =>
      path.startsWith("bench_report.controls.") ||
      /^bench_report\.cells\[(36|72)\]\.(metric|steps|arm)/.test(path),
  );
  // One of each kind of value stands for the others: of a trained control, and of an evaluated one what is its own.
  const kinds = new Map(
    own
      .filter(({ path }) => !/arms\[1\]|arms\[2\]\.(?!kind|best_cfg|per_seed)/.test(path))
      .map((mutation) => [mutation.path.replace(/(?<!arms)\[\d+\]/g, ""), mutation]),
  );
  const outcomes = [...kinds.values()].map(({ path, report: altered }) => ({
    path,
    named: verifyReport(altered, costly).faults.map((fault) => fault.path),
  }));
  expect(outcomes.length).toBeGreaterThan(40);
  expect(outcomes.filter(({ named }) => named.length === 0)).toEqual([]);
  const wrong = outcomes.filter(({ path, named }) => derivable.test(path) && named.join() !== path);
  expect(wrong).toEqual([]);
});

test("the cells give back an altered value of a control", () => {
  const path = "bench_report.controls.arms[1].per_seed[3]";
  const implied = valueAt(report, path);
  const { faults, repaired } = verifyReport(withValueAt(report, path, Number(implied) * 1.01), costly);
  expect(faults).toMatchObject([{ path, implied }]);
  expect(repaired).toEqual(report);
});

describe("the controls are shown", () => {
  const view = reportView(report, "bench_report.json", costly);

  test("on the page, each figure with its place", () => {
    const page = reportPage(view);
    const paths = figuresOf(page).map(({ path }) => path);
    for (const [at, { name, why }] of controls!.arms.entries()) {
      expect(page).toContain(`${why}.`);
      expect(page).toContain(name);
      for (const key of [
        "mean",
        "versus_idea.delta_mean",
        "versus_idea.p_adjusted",
        "versus_idea.interval[0]",
      ]) {
        expect(paths).toContain(`bench_report.controls.arms[${at}].${key}`);
      }
    }
    expect(page).toContain('href="#controls"');
    expect(page).toContain("is the baseline itself");
    expect(reportPage(reportView(buildReport(sampleRun()), "r.json", costly))).not.toContain('id="controls"');
  });

  test("in Markdown, with what the idea is not better than in bold", () => {
    const text = reportMarkdown(view);
    expect(text).toContain("| control | mean | idea − control | interval | p, Holm | the idea is |");
    expect(text).toMatch(/\| `oracle` \|.*\*\*worse\*\* \|/);
    expect(text).toMatch(/\| `much-worse` \|.* better \|/);
    expect(text).toContain("The control `plain` is the baseline itself.");
  });

  test("in cells.csv, by the name of their arm", () => {
    const rows = cellsCsv(benchOf(report)).split("\r\n");
    expect(rows.filter((row) => row.startsWith("control:much-worse,"))).toHaveLength(24);
    expect(rows.filter((row) => row.startsWith("control:oracle,"))).toHaveLength(8);
  });
});

test("fewer pairs than can be significant show nothing", () => {
  const few = buildReport(
    withControls(sampleRun({ baseline: [1, 2], idea: secondValues.slice(0, 2), preset: "quick" })),
  );
  expect(few.bench_report.controls!.finding).toBe(
    "The idea is not shown to be better than its controls much-worse, alike and oracle.",
  );
});
