import { fail } from "../../errors/index.js";
import type { Json } from "../../ideas/index.js";
import type { BenchReport, Report } from "./document-v2.js";
import { findSyntaxFault } from "./json-syntax.js";
import { childPath } from "./path.js";
import { isObject, object, type Shape } from "./shape.js";
import { benchShapeV1, statementFields } from "./shapes.js";
import { benchShapeV2 } from "./shapes-v2.js";
import { readSpecialNumbers } from "./special-numbers.js";

/**
 * Reads a report: the whole document with its `bench_report`, or a bare bench report, of schema version 1 or 2. The texts
 * "NaN", "Infinity", "-Infinity" and "-0" become the numbers that they stand for; unknown keys are kept. `path` is the
 * file's name, for the messages. E_REPORT names the first place that is not as it should be.
 */
export function parseReport(text: string, path: string): Report {
  const document = readSpecialNumbers(readJson(text, path));
  try {
    checkDocument(document);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    fail("E_REPORT", `${path}: ${error.message.replace(/^E_REPORT: /, "")}`, { cause: error });
  }
  return document as unknown as Report;
}

function readJson(text: string, path: string): Json {
  const source = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(source) as Json;
  } catch (cause) {
    if (source.trim() === "")
      fail("E_REPORT", `${path} is empty; a bench report is a JSON document`, { cause });
    const fault = findSyntaxFault(source);
    const where = fault
      ? ` at line ${fault.line}, column ${fault.column}: expected ${fault.expected}, found ${fault.found}`
      : "";
    fail("E_REPORT", `${path} is not JSON${where}; give the bench_report.json that a run wrote`, { cause });
  }
}

function checkDocument(document: unknown): void {
  if (!isObject(document)) object({}).check(document, "");
  const outer = document as Readonly<Record<string, unknown>>;
  if (!Object.hasOwn(outer, "bench_report") && !Object.hasOwn(outer, "bench_version")) {
    fail(
      "E_REPORT",
      "neither bench_report (a whole document) nor bench_version (a bare bench report) is there; " +
        "give the bench_report.json that a run wrote",
    );
  }
  if (!Object.hasOwn(outer, "bench_report")) {
    checkBench(outer, "");
    return;
  }
  checkBench(outer.bench_report, "bench_report");
  object(statementFields).check(outer, "");
}

function checkBench(bench: unknown, path: string): void {
  object({ bench_version: versionShape }).check(bench, path);
  const version = (bench as { bench_version: unknown }).bench_version;
  (version === 1 ? benchShapeV1 : benchShapeV2).check(bench, path);
  checkPairing(bench as BenchReport, path);
}

const versionShape: Shape = {
  check: (value, path) => {
    if (value !== 1 && value !== 2) {
      fail(
        "E_REPORT",
        `${path} should be 1 or 2, the schema versions known here, found ${JSON.stringify(value)}`,
      );
    }
  },
  schema: { enum: [1, 2] },
};

/** Per-seed arrays belong together: each difference has its two values, each value its seed. */
function checkPairing(bench: BenchReport, path: string): void {
  const pairs = bench.baseline.full.per_seed.length;
  const expectLength = (length: number, expected: number, place: string, what: string): void => {
    if (length !== expected) {
      const at = path === "" ? place : `${path}.${place}`;
      fail("E_REPORT", `${at} has ${length} entries, but ${what} has ${expected}`);
    }
  };
  const baseline = "baseline.full.per_seed";
  expectLength(bench.idea.per_seed.length, pairs, "idea.per_seed", baseline);
  expectLength(bench.comparison.per_seed_diffs.length, pairs, "comparison.per_seed_diffs", baseline);
  if (bench.bench_version === 1) return;
  expectLength(bench.protocol.seeds.length, pairs, "protocol.seeds", baseline);
  for (const arm of ["baseline", "idea"] as const) {
    bench[arm].sweep.forEach((row, at) => {
      const place = childPath(`${arm}.sweep`, at);
      expectLength(row.seeds.length, row.per_seed.length, `${place}.seeds`, `${place}.per_seed`);
    });
  }
  bench.floors.forEach((floor, at) => {
    const place = childPath("floors", at);
    expectLength(floor.seeds.length, floor.per_seed.length, `${place}.seeds`, `${place}.per_seed`);
  });
}

/** What a whole document of either version looks like. */
export const documentShapes = {
  1: object({ ...statementFields, bench_report: benchShapeV1 }),
  2: object({ ...statementFields, bench_report: benchShapeV2 }),
} as const;
