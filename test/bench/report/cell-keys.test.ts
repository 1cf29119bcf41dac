import { expect, test } from "vitest";
import { digestsOf } from "../../../src/bench/report/digests.js";
import { cellKeys } from "../../../src/bench/report/figures/cell-keys.js";
import {
  buildReport,
  parseReport,
  serializeReport,
  verifyReport,
  type BenchReportV2,
  type ReportV2,
} from "../../../src/bench/report/index.js";
import { loadPlugins } from "../../../src/bench/plugins/load-plugins.js";
import { planRun } from "../../../src/bench/run/plan-run.js";
import { runPlan } from "../../../src/bench/run/run-plan.js";
import { fileWith, ideaText, modelText, trackText } from "../plugins/user-file.js";

const sizes = { trainSize: 8, testSize: 4 };

const plan = planRun({
  idea: "residual-pivoted",
  track: "dynamics",
  preset: "quick",
  grid: { lr: [0.001] },
  sizes,
  controls: ["oracle-svd", "nystrom"],
});
const report = buildReport(await runPlan(plan, { executor: "inline" }));

/** What verify names in a report that was altered and whose digests were made anew. */
function sealed(
  changed: Partial<BenchReportV2>,
  { bench_report, ...statement }: ReportV2 = report,
): string[] {
  const inner = { ...bench_report, ...changed };
  const whole = { ...statement, bench_report: { ...inner, digests: digestsOf(statement, inner) } };
  return verifyReport(whole).faults.map(({ path }) => path);
}

test("the key of every cell, those of trained and of evaluated controls too, follows from the report", () => {
  const { bench_report: bench } = report;
  expect(bench.controls!.arms.map(({ kind }) => kind)).toEqual(["trained", "evaluated"]);
  expect(cellKeys(bench)).toEqual(bench.cells.map(({ key }) => key));
  expect(verifyReport(parseReport(serializeReport({ ...report }), "report")).faults).toEqual([]);
});

test("a key that is another cell's is named, and so is a specification that the keys do not fit", () => {
  const { bench_report: bench } = report;
  const [first, second, ...rest] = bench.cells;
  expect(sealed({ cells: [{ ...first!, key: second!.key }, second!, ...rest] })).toEqual([
    "bench_report.cells[0].key",
  ]);
  // The digests are made anew: only the keys still tell how the models were trained.
  expect(sealed({ protocol: { ...bench.protocol, optimizer: "sgd" } }).join()).toMatch(/cells\[\d+\]\.key/);
  const options = { ...bench.subject.options, rank: 3 };
  expect(sealed({ subject: { ...bench.subject, options } }).join()).toMatch(/cells\[\d+\]\.key/);
});

test("a report that does not name the files behind it has keys that are taken on trust", () => {
  const { plugins, ...provenance } = report.bench_report.provenance;
  expect(plugins).toEqual([]);
  const [first, ...rest] = report.bench_report.cells;
  expect(sealed({ provenance, cells: [{ ...first!, key: "0" }, ...rest] })).toEqual([]);
});

test("users' files stand in the provenance with their hash, and keys follow from it", async () => {
  const file = fileWith(`${trackText()}${modelText()}${ideaText().replace("export default", "const idea =")}
export default [track, model, idea];`);
  const loaded = await loadPlugins(file);
  const [idea, track, model] = [loaded.ideas[0]!, loaded.tracks[0]!, loaded.models[0]!];
  const run = await runPlan(planRun({ idea, track, model, preset: "quick", grid: { lr: [0.001] }, sizes }), {
    executor: "inline",
  });
  expect(run.provenance.plugins).toEqual([
    { path: loaded.file.path, sha256: loaded.file.hash, brings: ["idea mine", "track ramp", "model plain"] },
  ]);
  const own = buildReport(run);
  expect(verifyReport(parseReport(serializeReport({ ...own }), "report")).faults).toEqual([]);
  const [origin] = run.provenance.plugins!;
  const plugins = [{ ...origin!, brings: [...origin!.brings], sha256: "0".repeat(64) }];
  expect(sealed({ provenance: { ...own.bench_report.provenance, plugins } }, own).join()).toMatch(
    /cells\[\d+\]\.key/,
  );
});
