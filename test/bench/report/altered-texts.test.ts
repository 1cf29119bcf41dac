import { expect, test } from "vitest";
import { recomputation } from "../../../src/bench/report/figures/recomputation.js";
import { verifyReport, type Report } from "../../../src/bench/report/index.js";
import { valueAt, withValueAt } from "../../../src/bench/report/path.js";
import { soundReport } from "./seed-report.js";

const costly = recomputation();

/** Each number of a text with its last digit raised by one, and the words around it. */
function alteredNumbers(text: string): { readonly altered: string; readonly around: string }[] {
  return [...text.matchAll(/\d+(?:\.\d+)?(?:e[-+]?\d+)?/g)].map(({ 0: number, index }) => {
    const [mantissa, exponent] = number.split("e");
    const raised = mantissa.slice(0, -1) + String((Number(mantissa.at(-1)) + 1) % 10);
    const before = text.slice(0, index);
    const after = text.slice(index + number.length);
    return {
      altered: before + raised + (exponent === undefined ? "" : `e${exponent}`) + after,
      around: `${/\S*\s?\S*$/.exec(before)![0]}${number}${/^\S*/.exec(after)![0]}`,
    };
  });
}

/** The numbers of a report's texts that can be altered without the text being named, with the words around them. */
function unnoticed(report: Report): string[] {
  const texts = [
    "verdict",
    "limitations",
    ...Object.keys(valueAt(report, "metrics")!).map((key) => `metrics.${key}`),
  ];
  return texts.flatMap((path) =>
    alteredNumbers(String(valueAt(report, path))).flatMap(({ altered, around }) => {
      const { faults } = verifyReport(withValueAt(report, path, altered), costly);
      const named = faults.flatMap((fault) => [fault.path, ...(fault.alternatives ?? [])]);
      return named.includes(path) ? [] : [around];
    }),
  );
}

test("each number that the texts of the first report quote is checked; the others are no figures of it", () => {
  expect(unnoticed(soundReport("moment_preserving"))).toEqual([
    "moment-preserving rank-2",
    "each 64-dimensional",
    "an 8x8",
    "an 8x8",
    "Moment-preserving rank-2",
  ]);
});

test("each number that the texts of the second report quote is checked; the others are no figures of it", () => {
  expect(unnoticed(soundReport("residual_pivoted"))).toEqual([
    "to 200",
    "samples, 100",
    "samples, 3",
    "exceeded 40",
    "ranks 32/64/128",
    "ranks 32/64/128",
    "ranks 32/64/128",
  ]);
});

test("a figure of the report in the place of another is noticed as well", () => {
  const report = soundReport("moment_preserving");
  const changes: [path: string, printed: string, instead: string][] = [
    ["metrics.baseline", "{0.001, 0.003", "{0.003, 0.003"],
    ["verdict", "0.007600 vs", "0.006754 vs"],
  ];
  for (const [path, printed, instead] of changes) {
    const altered = String(valueAt(report, path)).replace(printed, instead);
    const { faults } = verifyReport(withValueAt(report, path, altered), costly);
    expect(faults.flatMap((fault) => [fault.path, ...(fault.alternatives ?? [])])).toContain(path);
  }
});
