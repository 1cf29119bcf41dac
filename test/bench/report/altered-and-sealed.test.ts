import { expect, test } from "vitest";
import { GradstandError } from "../../../src/errors/index.js";
import { checker } from "../../../src/bench/report/checks/all-checks.js";
import { digestsOf } from "../../../src/bench/report/digests.js";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import {
  buildFamilyReport,
  parseReport,
  serializeReport,
  type Report,
  type ReportV2,
} from "../../../src/bench/report/index.js";
import { mutationsOf } from "./mutations.js";
import { firstValues, sampleRun, secondValues } from "./sample-run.js";

const costly = recomputation();
const six = { baseline: firstValues.slice(0, 6), idea: secondValues.slice(0, 6) };
const runs = [sampleRun(six), { ...sampleRun({ ...six, idea: six.baseline }), track: "field" }];
const plans = runs.map(({ idea, track, model }) => ({ idea: idea.name, track, model }));
const report = buildFamilyReport(plans, runs, 0, costly);

/** The report with its digests made anew, as somebody would who wants an alteration not to show. */
function sealed(altered: Report): ReportV2 {
  const { bench_report: bench, ...statement } = altered as ReportV2;
  return { ...statement, bench_report: { ...bench, digests: digestsOf(statement, bench) } };
}

function noticed(altered: Report): boolean {
  try {
    const read = parseReport(serializeReport(altered), "report.json");
    return checker(costly)
      .all(read)
      .some(({ holds }) => !holds);
  } catch (error) {
    if (error instanceof GradstandError && error.code === "E_REPORT") return true;
    throw error;
  }
}

/** Cells and seeds are alike: the first and the last of each stand for the others. */
const alike = /(cells\[(?!0\]|35\])|mechanism\[(?!0\]|5\])|digests\.)/;

/** What follows from nothing else in a report, and why. Whoever makes the digests anew can change these unseen. */
const onTrust: readonly (readonly [what: RegExp, why: string])[] = [
  [/^(verdict|limitations|metrics\.\w+|files\[\d+\])$/, "wording; the numbers in it are checked"],
  [/\.verdicts\..*(rule|reasons\[\d+\]|text)$|\.confidence_reasons/, "wording; what it explains is checked"],
  [/^bench_report\.(metric|subject\.title)$|floors\[\d\]\.name$/, "a name"],
  [/\.subject\.options\./, "chosen"],
  [/\.protocol\.(preset|batch_size|optimizer)$/, "chosen"],
  [/\.family\.members\[1\]\.(track|model)$/, "another comparison, which has a report of its own"],
  [/\.(math_checks\[\d\]|claims\[\d\])\.(name|quantity|statement|control\.what)$/, "a name or a formula"],
  [/\.(math_checks\[\d\]|claims\[\d\])\.(observed|bound|predicted|tolerance|control\.observed)$/, "measured"],
  [/\.mechanism_signature\.(observed|trained_model|raw_norm|unit)$/, "measured, or the idea's own"],
  [/\.math_verification\.max_moment_residual$|\.figures\.\w+$/, "measured, or the idea's own"],
  [/\.cells\[\d+\]\.(curve\[\d\]|seconds)$/, "measured"],
  [/\.cells\[\d+\]\.key$/, "the name of a cell in the store"],
  [/\.provenance\.\w+$/, "where and with what the run was made"],
];

const leaves = mutationsOf(report).filter(({ path }) => !alike.test(path) && !path.includes(".digests["));
const missed = leaves.filter(({ report: altered }) => !noticed(sealed(altered))).map(({ path }) => path);

test("each value altered, and the digests made anew: it is noticed, or on the list of what is taken on trust", () => {
  expect(missed.filter((path) => !onTrust.some(([what]) => what.test(path)))).toEqual([]);
  expect(leaves.length - missed.length).toBeGreaterThan(250);
});

test("nothing is on that list that a check reaches", () => {
  for (const [what] of onTrust) {
    const listed = leaves.filter(({ path }) => what.test(path)).map(({ path }) => path);
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.filter((path) => !missed.includes(path)).join()).toBe("");
  }
});

test("each section altered and its digest left as it was is named", () => {
  const { bench_report: bench, ...statement } = report;
  const sections = [
    ...Object.keys(statement),
    ...Object.keys(bench)
      .filter((key) => key !== "digests")
      .map((key) => `bench_report.${key}`),
  ];
  for (const section of sections.filter((name) => name !== "bench_report.bench_version")) {
    const mutation = mutationsOf(report).find(({ path }) => new RegExp(`^${section}(?![\\w])`).test(path))!;
    const failing = checker(costly)
      .all(mutation.report)
      .filter(({ holds }) => !holds);
    expect(failing.filter((clue) => clue.section).map(({ path }) => path)).toEqual([section]);
  }
});
