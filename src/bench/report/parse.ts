import { fail, GradstandError } from "../../errors/index.js";
import type { Json } from "../../ideas/index.js";
import { MOST_SEEDS } from "../most-seeds.js";
import type { BenchReport, Report } from "./document-v2.js";
import { findSyntaxFault } from "./json-syntax.js";
import { childPath } from "./path.js";
import { isObject, object, type Shape } from "./shape.js";
import { benchShapeV1, statementFields } from "./shapes.js";
import { benchShapeV2 } from "./shapes-v2.js";

/**
 * Reads a report: the whole document with its `bench_report`, or a bare bench report, of schema version 1 or
 * 2. Where a number is expected the texts "NaN", "Infinity", "-Infinity" and "-0" become the numbers that
 * they stand for; unknown keys are kept. `path` is the file's name, for the messages. E_REPORT names the
 * first place that is not as it should be.
 */
export function parseReport(text: string, path: string): Report {
  const document = readJson(text, path);
  try {
    return readDocument(document) as unknown as Report;
  } catch (error) {
    if (!(error instanceof GradstandError)) throw error;
    fail("E_REPORT", `${path}: ${error.message.replace(/^E_REPORT: /, "")}`, { cause: error });
  }
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

function readDocument(document: Json): Json {
  if (!isObject(document)) return object({}).read(document, "");
  if (Object.hasOwn(document, "bench_report")) {
    const bench_report = readBench(document.bench_report, "bench_report");
    return { ...(object(statementFields).read(document, "") as object), bench_report };
  }
  if (!Object.hasOwn(document, "bench_version")) {
    fail(
      "E_REPORT",
      "neither bench_report (a whole document) nor bench_version (a bare bench report) is there; " +
        "give the bench_report.json that a run wrote",
    );
  }
  return readBench(document, "");
}

function readBench(value: Json, path: string): Json {
  const { bench_version: version } = object({ bench_version: versionShape }).read(value, path) as {
    bench_version: number;
  };
  const bench = (version === 1 ? benchShapeV1 : benchShapeV2).read(value, path);
  checkPairing(bench as unknown as BenchReport, path);
  return bench;
}

const versionShape: Shape = {
  read: (value, path) => {
    if (value === 1 || value === 2) return value;
    const found = JSON.stringify(value);
    fail("E_REPORT", `${path} should be 1 or 2, the schema versions known here, found ${found}`);
  },
  schema: { enum: [1, 2] },
};

/** Per-seed arrays belong together: each difference has its two values, each value its seed, and not too many. */
function checkPairing(bench: BenchReport, path: string): void {
  const pairs = bench.baseline.full.per_seed.length;
  const expectLength = (length: number, expected: number, place: string, what: string): void => {
    if (length !== expected) {
      const at = path === "" ? place : `${path}.${place}`;
      fail("E_REPORT", `${at} has ${length} entries, but ${what} has ${expected}`);
    }
  };
  const baseline = "baseline.full.per_seed";
  if (pairs > MOST_SEEDS) {
    const at = path === "" ? baseline : `${path}.${baseline}`;
    fail("E_REPORT", `${at} has ${pairs} entries; a report is verified with at most ${MOST_SEEDS} seeds`);
  }
  expectLength(bench.idea.per_seed.length, pairs, "idea.per_seed", baseline);
  expectLength(bench.comparison.per_seed_diffs.length, pairs, "comparison.per_seed_diffs", baseline);
  if (bench.bench_version === 1) return;
  expectLength(bench.protocol.seeds.length, pairs, "protocol.seeds", baseline);
  const { own, members } = bench.family;
  if (own >= members.length) {
    const at = path === "" ? "family.own" : `${path}.family.own`;
    fail("E_REPORT", `${at} is ${own}, but the family has ${members.length} members, counted from 0`);
  }
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
