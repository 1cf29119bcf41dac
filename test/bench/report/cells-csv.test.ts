import { expect, test } from "vitest";
import { benchOf, buildReport, cellsCsv, type BenchReportV2 } from "../../../src/bench/report/index.js";
import { sampleRun, secondValues } from "./sample-run.js";
import { seedReport } from "./seed-report.js";

/** Fields of CSV by RFC 4180. */
function parsed(text: string): string[][] {
  const rows: string[][] = [[]];
  let rest = text;
  while (rest !== "") {
    const [whole, quoted, plain, end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest)!;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === "\r\n") rows.push([]);
    rest = rest.slice(whole.length);
  }
  return rows.slice(0, -1);
}

test("every cell of a report is a row, with every digit of its numbers", () => {
  const bench = buildReport(sampleRun({ idea: [NaN, ...secondValues.slice(1)] })).bench_report;
  const [head, ...rows] = parsed(cellsCsv(bench));
  expect(rows.length).toBe(bench.cells.length);
  rows.forEach((row, at) => {
    const cell = bench.cells[at]!;
    const field = Object.fromEntries(head!.map((name, i) => [name, row[i]!]));
    const { arm, seed, status, key } = cell;
    expect(field).toMatchObject({ arm, seed, status, key });
    expect(JSON.parse(field.cfg!)).toEqual(cell.cfg);
    for (const name of ["metric", "parameters", "steps", "seconds"] as const)
      expect(Number(field[name])).toBe(cell[name]);
    expect(Number(field.final_loss)).toBe(cell.curve.at(-1));
  });
  expect(rows.some((row) => row[3] === "diverged" && row[4] === "NaN")).toBe(true);
});

test("a version 1 report gives each seed's value, and leaves empty what it does not say", () => {
  const bench = benchOf(seedReport("moment_preserving"));
  const [, ...rows] = parsed(cellsCsv(bench));
  expect(rows.map((row) => Number(row[4]))).toEqual([
    ...bench.baseline.full.per_seed,
    ...bench.idea.per_seed,
  ]);
  expect(rows[0]).toEqual([
    "baseline",
    '{"lr":0.006}',
    "0",
    "ok",
    "0.006943476852029562",
    ..."      ".split(" "),
  ]);
  expect(rows[8]!.slice(0, 3)).toEqual(["idea", "", "0"]);
});

test("texts with commas, quotes and line ends stay one field, and none is a formula", () => {
  const bench = buildReport(sampleRun()).bench_report;
  const keys = ['=HYPERLINK("x")', "a,b", 'say "x"', "two\r\nlines", "@x", "-1+2", "plain"];
  const cells = keys.map((key, at) => ({ ...bench.cells[at]!, key }));
  const [, ...rows] = parsed(cellsCsv({ ...bench, cells } as BenchReportV2));
  expect(rows.map((row) => row.at(-1))).toEqual([
    `'=HYPERLINK("x")`,
    "a,b",
    'say "x"',
    "two\r\nlines",
    "'@x",
    "'-1+2",
    "plain",
  ]);
});
