import fs from "node:fs";
import path from "node:path";
import { decodeCell, UnusableCell } from "./cell-file.js";
import { registeredRuns } from "./run-register.js";
import { storeFailure, systemCode } from "./store-failure.js";
import { isStaleTemporary } from "./temporary-file.js";

const nameOfCell = /^([0-9a-f]{64})\.json$/;

/** A file that stays although no plan refers to it, and why. */
export interface LeftFile {
  readonly file: string;
  readonly why: string;
}

/** What was removed from a store, or would be. */
export interface Garbage {
  readonly removed: readonly { readonly file: string; readonly bytes: number }[];
  /** Cells that a plan refers to. */
  readonly kept: number;
  readonly left: readonly LeftFile[];
  /** Report folders of the runs whose plan is gone. */
  readonly endedRuns: readonly string[];
}

/**
 * Removes from a store what no plan refers to: cells that no run has asked for whose plan is still in the folder of its
 * report, the entries of the runs whose plan is gone, and what killed writers left. A file that is not certainly the
 * package's own is left where it is and named. Safe beside running processes: cells are listed before the runs are read,
 * and a run notes each cell before it writes it.
 *
 * @param dryRun removes nothing
 * @throws E_STORE when the folder cannot be read, or a file cannot be removed
 */
export function collectGarbage(folder: string, { dryRun = false } = {}): Garbage {
  const location = path.resolve(folder);
  const entries = listed(location);
  const runs = registeredRuns(location);
  const ended = runs.filter(({ isPlanned }) => !isPlanned);
  const wanted = new Set(runs.filter(({ isPlanned }) => isPlanned).flatMap(({ keys }) => [...keys]));

  const garbage: string[] = ended.flatMap(({ files }) => files);
  const left: LeftFile[] = [];
  let kept = 0;
  for (const entry of entries) {
    const file = path.join(location, entry.name);
    const key = nameOfCell.exec(entry.name)?.[1];
    if (key !== undefined && wanted.has(key)) kept += 1;
    else if (key !== undefined) {
      const why = runs.length === 0 ? "no run is noted in this store" : whyNotOwn(entry, file, key);
      if (why === undefined) garbage.push(file);
      else left.push({ file, why });
    } else if (entry.isFile() && isStaleTemporary(file)) garbage.push(file);
    else if (/\.corrupt(-\d+)?$/.test(entry.name))
      left.push({ file, why: "it was moved aside; look at it, and remove it yourself" });
  }
  const removed = garbage.map((file) => ({
    file,
    bytes: fs.lstatSync(file, { throwIfNoEntry: false })?.size ?? 0,
  }));
  if (!dryRun) for (const file of garbage) remove(file);
  return {
    removed,
    kept,
    left,
    endedRuns: ended.map(({ folder: report }) => report!),
  };
}

function listed(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return storeFailure("read the store of cells", folder, error);
  }
}

/** Why a file with the name of a cell may not be removed; undefined when it is a whole cell of this package. */
function whyNotOwn(entry: fs.Dirent, file: string, key: string): string | undefined {
  if (!entry.isFile()) return "it has the name of a cell and is no file";
  try {
    decodeCell(key, fs.readFileSync(file, "utf8"));
    return undefined;
  } catch (error) {
    if (error instanceof UnusableCell) return `it has the name of a cell, but ${error.message}`;
    if (systemCode(error) === "ENOENT") return "another process has just removed it";
    return storeFailure("read", file, error);
  }
}

function remove(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch (error) {
    storeFailure("remove", file, error);
  }
}
