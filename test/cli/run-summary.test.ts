import { expect, test } from "vitest";
import { buildReport } from "../../src/bench/report/index.js";
import { printRun } from "../../src/cli/render/run-summary.js";
import { firstValues, sampleRun, secondValues, type SampleSettings } from "../bench/report/sample-run.js";
import { recordingTerminal } from "./recording-terminal.js";

function printed(settings: SampleSettings = {}, coloured = false): string[] {
  const terminal = recordingTerminal({ coloured });
  printRun(buildReport(sampleRun(settings)), "some/report.json", terminal);
  return terminal.results.flatMap((text) => text.split("\n"));
}

/** The line that begins with a word. */
const row = (lines: readonly string[], word: string): string =>
  lines.find((line) => line.startsWith(`  ${word} `)) ?? `no line of ${word}`;

test("a run's summary says what was run, each rate's mean, effect, floors, mechanism, cost, verdicts and the file", () => {
  const lines = printed();
  expect(lines.slice(1, 3)).toEqual([
    "Moment-preserving rank-2 compression (moment-rank2)",
    "  dynamics with rnn_small, preset seed: 400 train, 400 test, 8 epochs, 8 paired seeds, lower is better",
  ]);
  expect(row(lines, "baseline")).toMatch(
    /^ {2}baseline {2}lr 0\.001 → 0\.0\d+ {3}lr 0\.003 → 0\.00675402 {3}lr 0\.006 → 0\.0\d+$/,
  );
  expect(row(lines, "idea")).toMatch(/lr 0\.003 → 0\.00759965 /);
  // 8 pairs find dz = 1.156 with 80 % power, and the differences' standard deviation is 0.0028077
  expect(row(lines, "effect")).toBe(
    "  effect    +0.000845625 (+12.5 %), interval -0.00133485 to +0.00313162, 3/8 seeds won, p = 0.4058 (exact 0.40625); " +
      "smallest difference found with 80 % power: 0.00324579",
  );
  expect(row(lines, "floors")).toBe("  floors    mean 0.0540322 beaten   ridge 0.0270161 beaten");
  expect(row(lines, "mechanism")).toBe(
    "  mechanism confirmed on 8 trained models; 2 of 2 identities hold on random inputs",
  );
  expect(row(lines, "cost")).toBe("  cost      parameters ×1, wall time ×1 of the baseline");
  expect(lines).toContain("  practical: inconclusive           verdict: inconclusive");
  expect(lines.at(-1)).toBe("  report: some/report.json");
  expect(lines.join("\n")).not.toMatch(/QUICK|UNINFORMATIVE/);
});

test("a claim shows the observation furthest from its prediction, and the nearest of its control", () => {
  const claim = (settings: SampleSettings): string | undefined =>
    printed(settings).find((line) => line.includes("moment residual:"));
  const rest = "moment residual: predicted 0, observed 1.2000e-7 (tolerance 5.0000e-7); plain T_2: 0.21";
  expect(claim({})).toBe(`            ✓ ${rest}`);
  expect(claim({ confirmed: false })).toBe(`            ✗ ${rest}`);
  expect(claim({ controlRefuted: false })).toBe(`            ✗ ${rest}`);
  expect(row(printed({ confirmed: false }), "mechanism")).toMatch(/^ {2}mechanism not confirmed on 8/);
});

test("of the rates only the best one's mean is bold, in each arm", () => {
  const bold = (word: string): string[] =>
    row(printed({ ideaBest: 2 }, true), word)
      .split("   ")
      .filter((cell) => cell.includes("→ \u001b[1m"))
      .map((cell) => /lr (\S+)/.exec(cell)![1]!);
  expect(bold("baseline")).toEqual(["0.003"]);
  expect(bold("idea")).toEqual(["0.006"]);
});

test("a floor that is not beaten is said, and so is a run that can tell nothing", () => {
  const lines = printed({ floor: firstValues.map((value) => value / 1.5) });
  expect(row(lines, "floors")).toMatch(/mean \S+ beaten {3}ridge \S+ NOT beaten$/);
  expect(lines.some((line) => line.startsWith("UNINFORMATIVE:"))).toBe(true);
  expect(lines.some((line) => line.startsWith("QUICK:"))).toBe(false);
  expect(printed({ preset: "quick" }).some((line) => line.startsWith("QUICK:"))).toBe(true);
});

test("an arm that diverged is named instead of an effect", () => {
  const lines = printed({ idea: [NaN, Infinity, ...secondValues.slice(2)] });
  expect(row(lines, "effect")).toBe(
    "  effect    the idea diverged on 2 of 8 seeds: the arms cannot be compared",
  );
});
