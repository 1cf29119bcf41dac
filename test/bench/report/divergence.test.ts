import { describe, expect, test } from "vitest";
import type { CellRecord, RunRecord } from "../../../src/bench/record.js";
import { digestsOf } from "../../../src/bench/report/digests.js";
import {
  buildReport,
  parseReport,
  serializeReport,
  verifyReport,
  type ReportV2,
} from "../../../src/bench/report/index.js";
import { firstValues, sampleRun } from "./sample-run.js";

const farOut = { lr: 0.02 };
const tuningSeed = 1_000_001;

/** The 16 final values of an arm: those of the samples twice, times a factor. */
const values = (factor: number): number[] => [...firstValues, ...firstValues].map((x) => x * factor);

/**
 * A run that chose 0.003 of the rates 0.001, 0.003, 0.006 and 0.02 on the validation part, whose idea is 0.5 or 1.5 times the baseline, and
 * in which the tuning cells at these rates diverged on one seed.
 */
function runWith(
  factor: number,
  lost: { readonly baseline?: readonly number[]; readonly idea?: readonly number[] },
): RunRecord {
  const run = sampleRun({ baseline: values(1), idea: values(factor), selection: "validation" });
  const arm = (name: "baseline" | "idea"): { record: RunRecord["baseline"]; cells: CellRecord[] } => {
    const record = name === "baseline" ? run.baseline : run.ideaArm;
    const diverges = (lr: number, seed: number): boolean =>
      seed === tuningSeed && (lost[name] ?? []).includes(lr);
    const last = record.sweep.at(-1)!;
    const sweep = [...record.sweep, { ...last, cfg: farOut, values: last.values.map((x) => x * 2) }].map(
      (row) => ({
        ...row,
        values: row.values.map((x, at) => (diverges(row.cfg.lr, row.seeds[at]!) ? Infinity : x)),
      }),
    );
    const own = run.cells.filter((cell) => cell.arm === name);
    const model = own[0]!;
    const added = sweep.at(-1)!.seeds.map((seed, at) => ({
      ...model,
      key: `${name}-3-${seed}`,
      cfg: farOut,
      seed,
      metric: sweep.at(-1)!.values[at]!,
    }));
    const cells = [...own, ...added].map((cell): CellRecord =>
      cell.evaluated === "validation" && diverges(cell.cfg.lr, cell.seed)
        ? { ...cell, metric: Infinity, status: "diverged" }
        : cell,
    );
    return { record: { ...record, sweep }, cells };
  };
  const [baseline, idea] = [arm("baseline"), arm("idea")];
  const { protocol } = run;
  return {
    ...run,
    protocol: {
      ...protocol,
      grid: [...protocol.grid, farOut],
      rates: [...protocol.rates!, farOut.lr],
    },
    baseline: baseline.record,
    ideaArm: idea.record,
    cells: [...baseline.cells, ...idea.cells],
  };
}

/** The strict verdict, the codes of its caps and its reasons, of a report that holds. */
function strictOf(report: ReportV2) {
  const read = parseReport(serializeReport(report), "r.json") as ReportV2;
  expect(verifyReport(read).faults).toEqual([]);
  const { verdict, caps, reasons } = read.bench_report.verdicts.strict;
  return { verdict, caps: caps.map(({ code }) => code), reasons: reasons.join("\n") };
}

const [worse, better] = [1.5, 0.5];

describe("tuning cells that diverged in one arm only", () => {
  test("beyond a rate that ended and was worse than the chosen one cap nothing, and are named", () => {
    const { verdict, caps, reasons } = strictOf(buildReport(runWith(worse, { idea: [0.02] })));
    expect([verdict, caps]).toEqual(["harmful", []]);
    expect(reasons).toContain(
      "1 tuning cell of the idea diverged, at learning rate 0.02: beyond one that ended and was worse than the chosen 0.003",
    );
    expect(strictOf(buildReport(runWith(better, { baseline: [0.02] })))).toMatchObject({
      verdict: "worked",
      caps: [],
    });
  });

  test("next to the chosen rate cap a verdict against that arm", () => {
    for (const rates of [[0.006], [0.001], [0.006, 0.02]])
      expect(strictOf(buildReport(runWith(worse, { idea: rates })))).toMatchObject({
        verdict: "inconclusive",
        caps: ["diverged-one-arm"],
      });
    const { verdict, caps, reasons } = strictOf(buildReport(runWith(better, { baseline: [0.006, 0.02] })));
    expect([verdict, caps]).toEqual(["inconclusive", ["diverged-one-arm"]]);
    expect(reasons).toContain(
      "2 cells diverged in one arm only, at its chosen learning rate or next to it: baseline",
    );
  });

  test("next to the chosen rate cap no verdict in favour of that arm", () => {
    const { verdict, caps, reasons } = strictOf(buildReport(runWith(better, { idea: [0.006] })));
    expect([verdict, caps]).toEqual(["worked", []]);
    expect(reasons).toContain("idea; that can only have hindered the verdict, and caps nothing");
    expect(strictOf(buildReport(runWith(worse, { baseline: [0.006] })))).toMatchObject({
      verdict: "harmful",
      caps: [],
    });
  });

  test("count for each arm by whether they bear on its choice", () => {
    expect(strictOf(buildReport(runWith(worse, { baseline: [0.02], idea: [0.006] }))).caps).toEqual([
      "diverged-one-arm",
    ]);
    expect(strictOf(buildReport(runWith(worse, { baseline: [0.006], idea: [0.006] }))).caps).toEqual([]);
  });
});

test("a report without a version of the caps is judged as before: any cell that diverged in one arm only", () => {
  const now = buildReport(runWith(worse, { idea: [0.02] }));
  const { bench_report: bench, ...statement } = now;
  const { caps_version: version, ...protocol } = bench.protocol;
  expect(version).toBe(2);
  const before = { ...bench, protocol };
  const older = { ...statement, bench_report: { ...before, digests: digestsOf(statement, before) } };
  const { judgement } = verifyReport(older as ReportV2);
  expect(judgement.verdicts.strict).toMatchObject({
    verdict: "inconclusive",
    caps: [{ code: "diverged-one-arm", text: "1 cell diverged in one arm only: idea" }],
  });
});
