import { describe, expect, test } from "vitest";
import { buildReport, parseReport, serializeReport } from "../../../src/bench/report/index.js";
import { leavesOf, pathSteps, valueAt, withValueAt } from "../../../src/bench/report/path.js";
import { sampleRun } from "./sample-run.js";
import { seedReport, seedText } from "./seed-report.js";

type Tree = Record<string | number, unknown>;

/** A copy of a document without the value at a path. */
function without(document: object, path: string): object {
  const copy = structuredClone(document) as Tree;
  const steps = pathSteps(path);
  const parent = steps.slice(0, -1).reduce<Tree>((node, step) => node[step] as Tree, copy);
  Reflect.deleteProperty(parent, steps.at(-1)!);
  return copy;
}

const parseObject = (document: object) => parseReport(serializeReport(document), "report.json");
const first = seedReport("moment_preserving");
const second = seedReport("residual_pivoted");
const own = buildReport(sampleRun());

describe("what is admitted", () => {
  test("both reports, whole and bare, and one's own", () => {
    for (const document of [first, second, own]) {
      expect(parseObject(document)).toEqual(document);
      const bare = (document as { bench_report: object }).bench_report;
      expect(parseObject(bare)).toEqual(bare);
    }
  });

  test("a byte order mark and keys that are not known", () => {
    expect(parseReport(`\uFEFF${seedText("moment_preserving")}`, "r.json")).toEqual(first);
    expect(valueAt(parseObject({ ...first, extra: { note: 1 } }), "extra.note")).toBe(1);
  });

  test("numbers that JSON cannot hold, as texts", () => {
    const path = "bench_report.baseline.full.per_seed[2]";
    for (const [text, value] of [
      ["NaN", NaN],
      ["Infinity", Infinity],
      ["-Infinity", -Infinity],
      ["-0", -0],
    ] as const) {
      expect(Object.is(valueAt(parseObject(withValueAt(first, path, text)), path), value)).toBe(true);
    }
  });

  test("texts that read like such a number, where a text is expected", () => {
    expect(valueAt(parseObject(withValueAt(first, "verdict", "NaN")), "verdict")).toBe("NaN");
  });

  test("seeds as digits in version 2", () => {
    expect(valueAt(own, "bench_report.protocol.seeds[7]")).toBe("7");
  });
});

describe("what is not a report", () => {
  test.each([
    ["", "r.json is empty; a bench report is a JSON document"],
    ["lr: 0.1", 'r.json is not JSON at line 1, column 1: expected a value, found "lr"'],
    ['{\n  "a": [1,\n  2}\n', "r.json is not JSON at line 3, column 4: expected ',' or ']', found \"}\""],
    ['{"a": NaN}', 'r.json is not JSON at line 1, column 7: expected a value, found "NaN"'],
    ['{"a": 1', "r.json is not JSON at line 1, column 8: expected ',' or '}', found the end of the text"],
    ["[]", "r.json: the report should be an object, found an array of 0"],
    ["3", "r.json: the report should be an object, found 3"],
    [
      "{}",
      "r.json: neither bench_report (a whole document) nor bench_version (a bare bench report) is there",
    ],
    ['{"bench_report": 4}', "r.json: bench_report should be an object, found 4"],
    [
      '{"bench_report": {}}',
      "r.json: bench_report.bench_version is missing; bench_report must have this key",
    ],
    [
      '{"bench_version": 3}',
      "r.json: bench_version should be 1 or 2, the schema versions known here, found 3",
    ],
  ])("%j", (text, message) => {
    expect(() => parseReport(text, "r.json")).toThrow(`E_REPORT: ${message}`);
  });

  test.each([
    ["bench_report.baseline.full.per_seed[6]", "1.12", 'should be a number, found "1.12"'],
    ["bench_report.baseline.sweep[1].cfg", 0.003, "should be an object, found 0.003"],
    [
      "bench_report.metric_direction",
      "down",
      'should be "lower is better" or "higher is better", found "down"',
    ],
    ["bench_report.comparison.system_worked", 0, "should be true or false, found 0"],
    ["bench_report.mechanism_signature.predicted", true, "should be a number or a string, found true"],
    ["bench_report.mechanism_signature.trained_model", 3, "should be an object, true or false, found 3"],
    ["bench_report.n_seeds", 8.5, "should be a whole number, found 8.5"],
    ["metrics.idea", 1, "should be a string, found 1"],
    ["worked", "yes", 'should be true or false, found "yes"'],
    ["files", "a.json", 'should be an array, found "a.json"'],
  ])("%s of the wrong type", (path, value, message) => {
    expect(() => parseObject(withValueAt(first, path, value))).toThrow(
      `E_REPORT: report.json: ${path} ${message}`,
    );
  });

  test("a value whose partner in the other arm is missing", () => {
    const shorter = withValueAt(first, "bench_report.idea.per_seed", [1, 2, 3]);
    expect(() => parseObject(shorter)).toThrow(
      "bench_report.idea.per_seed has 3 entries, but baseline.full.per_seed has 8",
    );
    const unseeded = withValueAt(own, "bench_report.floors[1].seeds", ["1"]);
    expect(() => parseObject(unseeded)).toThrow("bench_report.floors[1].seeds has 1 entries");
  });
});

describe("required keys", () => {
  /** The keys that one of the two reports has and the other has not, or that are an idea's own. */
  const optional = [
    /^bench_report\.(math_verification$|math_verification\.(?!passed$)|protocol\b)/,
    /^bench_report\.idea\.(best_cfg|sweep)$/,
    /^bench_report\.mechanism_signature\.(?!predicted$|observed$|confirmed$)/,
    /\.cfg\.|best_cfg\.|^metrics\./,
  ];

  test.each(["moment_preserving", "residual_pivoted"] as const)("each missing key of %s is named", (name) => {
    const report = seedReport(name);
    const paths = new Set(
      leavesOf(report)
        .map(([path]) => path.replace(/(\[\d+\])+$/, ""))
        .flatMap((path) => [path, path.replace(/\.[^.]+$/, "")])
        .filter((path) => path !== "bench_report"),
    );
    for (const path of paths) {
      if (path.endsWith("]")) continue;
      const read = () => parseObject(without(report, path));
      if (optional.some((pattern) => pattern.test(path))) expect(read).not.toThrow();
      else expect(read).toThrow(`report.json: ${path} is missing`);
    }
  });

  test("version 2 requires every section that it adds", () => {
    for (const key of Object.keys(own.bench_report)) {
      if (key === "bench_version") continue;
      expect(() => parseObject(without(own, `bench_report.${key}`))).toThrow(
        `bench_report.${key} is missing`,
      );
    }
  });
});

test("more seeds than are verified are refused", () => {
  const values = Array.from({ length: 1001 }, (_, at) => at);
  const many = withValueAt(first, "bench_report.baseline.full.per_seed", values);
  expect(() => parseObject(many)).toThrow(
    /E_REPORT: .*has 1001 entries; a report is verified with at most 1000/,
  );
});
