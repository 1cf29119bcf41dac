import { expect, test } from "vitest";
import { printCalibration } from "../../src/cli/render/calibration.js";
import { inProcess, recordingTerminal } from "./recording-terminal.js";

const row = { name: "identical arms", expected: "0", found: "0", passed: true, figures: {} };

test("a calibration is a Markdown table whose last line counts the right answers", () => {
  const terminal = recordingTerminal();
  const rows = [row, { ...row, name: "a planted shift", found: "1", passed: false }];
  printCalibration({ rows, passed: false, cells: 12, seconds: 3.4 }, terminal);
  expect(
    terminal.results
      .join("\n")
      .split("\n")
      .map((line) => line.trimEnd()),
  ).toEqual([
    "| what is asked   | what must come out | what came out |     |",
    "| --------------- | ------------------ | ------------- | --- |",
    "| identical arms  | 0                  | 0             | ✓   |",
    "| a planted shift | 0                  | 1             | ✗   |",
    "",
    "1 of 2 answers are as they must be (12 cells trained in 3 s).",
  ]);
});

test("bench calibrate takes no words and no seeds: what it asks is fixed", async () => {
  for (const words of [["dynamics"], ["--seeds", "3"], ["--jobs", "0"]])
    expect((await inProcess(["bench", "calibrate", ...words])).code).toBe(2);
});
