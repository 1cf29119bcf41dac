import type { Calibration } from "../../bench/index.js";
import type { Terminal } from "../terminal.js";

/** The rows of a calibration as a table that is Markdown as well, each cell padded to its column. */
export function calibrationTable({ rows }: Pick<Calibration, "rows">): string {
  const cells = [
    ["what is asked", "what must come out", "what came out", ""],
    ...rows.map(({ name, expected, found, passed }) => [name, expected, found, passed ? "✓" : "✗"]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length), 3));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const rule = widths.map((width) => "-".repeat(width));
  return [line(cells[0]!), line(rule), ...cells.slice(1).map(line)].join("\n");
}

/** Prints the table, and last what it comes to. */
export function printCalibration(calibration: Calibration, { out, colour }: Terminal): void {
  const { rows, passed, cells, seconds } = calibration;
  const right = rows.filter((row) => row.passed).length;
  out(calibrationTable(calibration));
  const sentence = `\n${right} of ${rows.length} answers are as they must be (${cells} cells trained in ${Math.round(seconds)} s).`;
  out(passed ? colour.green(sentence) : colour.red(sentence));
}
