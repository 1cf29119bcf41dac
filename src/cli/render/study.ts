import { cellText, type StudyDocument } from "../../bench/index.js";
import type { Terminal } from "../terminal.js";

/** A longer table is in the page. */
const mostRows = 60;

/** Prints what a study found: the findings first, then its tables. */
export function printStudy(
  document: StudyDocument,
  { file, page }: { readonly file: string; readonly page: string },
  { out, colour }: Terminal,
): void {
  out(colour.bold(document.title));
  out(document.question);
  out("");
  for (const finding of document.findings) out(`- ${finding}`);
  for (const { title, columns, rows } of document.tables) {
    out("");
    out(colour.bold(title));
    if (rows.length > mostRows) out(colour.dim(`  ${rows.length} rows, in ${page}`));
    else for (const line of tableLines(columns, rows)) out(`  ${line}`);
  }
  if (document.omitted.length > 0) out("");
  for (const { point, why } of document.omitted) {
    const place = Object.entries(point).map(([axis, value]) => `${axis}=${value}`);
    out(colour.yellow(`left out: ${place.join(" ")}: ${why}`));
  }
  out("");
  out(`${file}: every figure; ${page}: plots and tables`);
}

/** A table in columns: words to the left, numbers to the right. */
export function tableLines(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] {
  const texts = [columns, ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, at) => Math.max(...texts.map((row) => row[at]!.length)));
  const isNumber = columns.map(
    (_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === "number"),
  );
  return texts.map((row) =>
    row
      .map((text, at) => (isNumber[at] ? text.padStart(widths[at]!) : text.padEnd(widths[at]!)))
      .join("  ")
      .trimEnd(),
  );
}
