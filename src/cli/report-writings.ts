import path from "node:path";
import { benchOf, cellsCsv, reportMarkdown, reportPage, type ReportView } from "../bench/report/index.js";
import { writeWhole } from "./output-folder.js";

/** The name of a file beside a report: `bench_report.html` for `bench_report.json`. */
export function nameBeside(reportFile: string, extension: ".html" | ".md"): string {
  const { name, ext, base } = path.parse(reportFile);
  return `${ext === ".json" ? name : base}${extension}`;
}

/** Writes a report's page into a folder and gives its path. Throws `E_OUTPUT`. */
export function writePage(view: ReportView, folder: string): string {
  return write(path.join(folder, nameBeside(view.file, ".html")), reportPage(view));
}

/** Writes a report as Markdown into a folder and gives the file's path. Throws `E_OUTPUT`. */
export function writeMarkdown(view: ReportView, folder: string): string {
  return write(path.join(folder, nameBeside(view.file, ".md")), reportMarkdown(view));
}

/** Writes a report's cells as `cells.csv` into a folder and gives its path. Throws `E_OUTPUT`. */
export function writeCells(view: ReportView, folder: string): string {
  return write(path.join(folder, "cells.csv"), cellsCsv(benchOf(view.report)));
}

function write(file: string, text: string): string {
  writeWhole(file, text);
  return file;
}
