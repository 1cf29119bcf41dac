import { describe, expect, test } from "vitest";
import type { RunRecord } from "../../../src/bench/record.js";
import {
  buildReport,
  compareRuns,
  reportView,
  type Report,
  type ReportView,
} from "../../../src/bench/report/index.js";
import { signFlipTest } from "../../../src/stats/index.js";
import { firstValues, sampleRun, secondValues } from "./sample-run.js";
import { seedReport, soundReport } from "./seed-report.js";

const viewOf = (report: Report): ReportView => reportView(report, "bench_report.json");
const viewOfRun = (run: RunRecord): ReportView => viewOf(buildReport(run));

/** The sample run with another protocol, whose final seeds stay where they are not named. */
function withProtocol(change: Partial<RunRecord["protocol"]>): RunRecord {
  const run = sampleRun();
  return { ...run, protocol: { ...run.protocol, ...change } };
}

/** The same run, its sweep evaluated on the validation part by further cells. */
function chosenOnValidation(): RunRecord {
  const run = sampleRun();
  const sweep = run.cells.map((cell) => ({ ...cell, evaluated: "validation" as const }));
  return { ...run, cells: [...sweep, ...run.cells] };
}

describe("settings", () => {
  test.each<readonly [string, RunRecord, string]>([
    ["the track", { ...sampleRun(), track: "field" }, "track"],
    ["the model", { ...sampleRun(), model: "transformer_tiny" }, "model"],
    ["the metric", { ...sampleRun(), metric: "RMSE" }, "metric"],
    ["the preset", withProtocol({ preset: "quick" }), "protocol.preset"],
    ["the epochs", withProtocol({ epochs: 9 }), "protocol.epochs"],
    ["the training series", withProtocol({ trainSize: 401 }), "protocol.n_train"],
    ["the test series", withProtocol({ testSize: 401 }), "protocol.n_test"],
    ["the batch", withProtocol({ batchSize: 16 }), "protocol.batch_size"],
    ["the level", withProtocol({ alpha: 0.01 }), "protocol.alpha"],
    ["the grid", withProtocol({ grid: [{ lr: 0.5 }] }), "protocol.grid"],
    ["the way of choosing", chosenOnValidation(), "tuning.selection"],
    [
      "the code",
      { ...sampleRun(), provenance: { ...sampleRun().provenance, fingerprint: "another" } },
      "provenance.fingerprint",
    ],
  ])("another value of %s makes runs unlike, and is named alone with both values", (_, run, setting) => {
    const { differences } = compareRuns(viewOfRun(sampleRun()), viewOfRun(run));
    expect(differences.map((one) => one.setting)).toEqual([setting]);
    expect(differences[0]!.a).not.toEqual(differences[0]!.b);
  });

  test("the idea, its options and where it ran do not make runs unlike", () => {
    const run = sampleRun();
    const other = {
      ...run,
      idea: { name: "moment-rank3", title: "Another", options: { rank: 3 } },
      provenance: {
        ...run.provenance,
        cpu: "another",
        workers: 7,
        command: "x",
        started: "later",
        seconds: 1,
      },
    };
    const compared = compareRuns(viewOfRun(run), viewOfRun(other));
    expect(compared.differences).toEqual([]);
    expect(compared.unreported).toEqual([]);
    expect(compared.surroundings.map(({ setting }) => setting)).toEqual([
      "provenance.cpu",
      "provenance.workers",
    ]);
  });

  test("a setting that only one report has is a difference, one that neither has is not reported", () => {
    const moment = viewOf(seedReport("moment_preserving"));
    const same = compareRuns(moment, moment);
    expect(same.differences).toEqual([]);
    expect(same.unreported).toEqual([
      "metric",
      "tuning.selection",
      "tuning.baseline.seeds",
      "provenance.fingerprint",
    ]);
    const others = compareRuns(moment, viewOf(soundReport("residual_pivoted")));
    expect(others.differences).toContainEqual({ setting: "track", a: "dynamics", b: "sequence" });
    expect(others.differences).toContainEqual({ setting: "protocol.epochs", a: 8, b: undefined });
    const versions = compareRuns(moment, viewOfRun(sampleRun()));
    expect(versions.differences).toContainEqual({
      setting: "provenance.fingerprint",
      a: undefined,
      b: "0123456789abcdef",
    });
  });
});

test("a run beside itself differs by exactly nothing, p = 1", () => {
  const view = viewOfRun(sampleRun());
  const { baselinesAgree, figures, paired, seeds } = compareRuns(view, view);
  expect(seeds).toEqual({ shared: [..."01234567"], onlyA: [], onlyB: [] });
  expect(baselinesAgree).toBe(true);
  for (const { a, b } of figures) expect(a).toEqual(b);
  for (const arm of ["baseline", "idea"] as const) {
    expect(paired![arm]).toMatchObject({ mean: 0, wins: 0, identical: true });
    expect(paired![arm].statistics.sign_flip.p_value).toBe(1);
  }
});

test("seeds are paired by their names, not by their places", () => {
  const four = [3, 1, 9, 0];
  const run = sampleRun({ baseline: four.map((at) => firstValues[at] ?? 1), idea: [0.01, 0.02, 0.03, 0.04] });
  const renamed: RunRecord = {
    ...run,
    protocol: { ...run.protocol, seeds: four, sweepSeeds: { baseline: four, idea: four } },
    baseline: {
      ...run.baseline,
      seeds: four,
      sweep: run.baseline.sweep.map((row) => ({ ...row, seeds: four })),
    },
    ideaArm: {
      ...run.ideaArm,
      seeds: four,
      sweep: run.ideaArm.sweep.map((row) => ({ ...row, seeds: four })),
    },
    floors: run.floors.map((floor) => ({ ...floor, seeds: four })),
    cells: [],
    signatures: [],
  };
  const { paired, seeds } = compareRuns(viewOfRun(sampleRun()), viewOfRun(renamed));
  expect(seeds).toEqual({ shared: ["0", "1", "3"], onlyA: ["2", "4", "5", "6", "7"], onlyB: ["9"] });
  expect(paired!.idea.a).toEqual([secondValues[0], secondValues[1], secondValues[3]]);
  expect(paired!.idea.b).toEqual([0.04, 0.02, 0.01]);
  expect(paired!.baseline.identical).toBe(true);
});

test("the paired figures are those of the sign-flip test on B − A, won in the metric's direction", () => {
  const better = secondValues.map((x, at) => x * (0.5 + at / 20));
  for (const direction of ["lower", "higher"] as const) {
    const { figures, paired } = compareRuns(
      viewOfRun(sampleRun({ direction })),
      viewOfRun(sampleRun({ direction, idea: better })),
    );
    const differences = better.map((x, at) => x - secondValues[at]!);
    expect(paired!.idea.differences).toEqual(differences);
    expect(paired!.idea.statistics.sign_flip.p_value).toBe(signFlipTest(differences).p);
    expect(paired!.idea.wins).toBe(direction === "lower" ? 8 : 0);
    expect(paired!.idea.mean).toBeCloseTo(differences.reduce((sum, x) => sum + x, 0) / 8, 15);
    expect(figures.find(({ name }) => name === "idea.mean")!.b).toBeCloseTo(
      better.reduce((sum, x) => sum + x, 0) / 8,
      15,
    );
  }
});

test("baselines that differ under the same settings and code are found; without the code's fingerprint nothing is said", () => {
  const other = [...firstValues.slice(0, 7), 0.0029];
  const compared = compareRuns(viewOfRun(sampleRun()), viewOfRun(sampleRun({ baseline: other })));
  expect(compared.baselinesAgree).toBe(false);
  expect(
    compareRuns(viewOfRun(sampleRun({ best: 0 })), viewOfRun(sampleRun())).baselinesAgree,
  ).toBeUndefined();
  const moment = viewOf(seedReport("moment_preserving"));
  expect(compareRuns(moment, moment).baselinesAgree).toBeUndefined();
});

test("diverged seeds give no statistics, and runs without a shared seed no pairs", () => {
  const lost = viewOfRun(sampleRun({ idea: [NaN, ...secondValues.slice(1)] }));
  const { paired } = compareRuns(viewOfRun(sampleRun()), lost);
  expect(paired!.idea.statistics.sign_flip.p_value).toBeNaN();
  expect(paired!.idea.statistics.sign_flip_interval).toBeNull();
  const moment = seedReport("moment_preserving") as { bench_report: { protocol: object } } & Report;
  const elsewhere = {
    ...moment,
    bench_report: {
      ...moment.bench_report,
      protocol: { ...moment.bench_report.protocol, seeds: [10, 11, 12, 13, 14, 15, 16, 17] },
    },
  } as Report;
  const apart = compareRuns(viewOf(moment), viewOf(elsewhere));
  expect(apart.differences).toEqual([]);
  expect(apart.seeds.shared).toEqual([]);
  expect(apart.paired).toBeUndefined();
});
