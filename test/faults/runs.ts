import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { decodeCell } from "../../src/bench/store/cell-file.js";
import { decodeRun } from "../../src/bench/store/index.js";
import { parseReport, type ReportV2 } from "../../src/bench/report/index.js";
import { valuesOf } from "../cli/report-values.js";
import { filesBelow } from "../cli/command.js";

/** A run of half a second of training. */
export const smallRun = "bench run moment-rank2 --preset quick --seeds 2 --train 8 --test 8 --jobs 2".split(
  " ",
);

/** Where {@link smallRun} writes. */
export const reportFolder = path.join("reports", "moment-rank2");
export const storeFolder = path.join(".gradstand", "cells");

const cellName = /^([0-9a-f]{64})\.json$/;
const temporaryName = /\.[A-Za-z0-9-]+\.\d+\.\d+\.tmp$/;

/** What a report says, less what depends on where, when and with what it was made: as text, so that one bit more or less shows. */
export function reportValues(folder: string): string {
  const file = path.join(folder, reportFolder, "bench_report.json");
  return JSON.stringify(valuesOf(parseReport(fs.readFileSync(file, "utf8"), file) as ReportV2), null, 1);
}

/** Whole cells in a folder's store. */
export function cellsIn(folder: string): readonly string[] {
  const store = path.join(folder, storeFolder);
  return fs.existsSync(store) ? fs.readdirSync(store).filter((name) => cellName.test(name)) : [];
}

/** Every file that is there under its own name is whole; what is half-written has the name of a temporary file. */
export function expectNothingHalfWritten(folder: string): void {
  for (const file of filesBelow(folder).filter((name) => !temporaryName.test(name))) {
    const text = fs.readFileSync(path.join(folder, file), "utf8");
    const name = path.basename(file);
    const key = cellName.exec(name)?.[1];
    if (file.startsWith(path.join(storeFolder, "runs"))) continue;
    else if (key !== undefined) expect(() => decodeCell(key, text)).not.toThrow();
    else if (name === "bench_run.json") expect(() => decodeRun(text, file)).not.toThrow();
    else if (name === "bench_report.json") expect(() => parseReport(text, file)).not.toThrow();
    else expect(text, file).toMatch(/^<!doctype html>[^]*<\/html>\s*$/i);
  }
}

/** Nothing is left of what was written on the way. */
export function expectNoTemporaries(folder: string): void {
  expect(filesBelow(folder).filter((name) => temporaryName.test(name) || name.includes(".corrupt"))).toEqual(
    [],
  );
}
