import fs from "node:fs";
import path from "node:path";
import { canonicalJson } from "../cells/canonical.js";
import type { CellSpec } from "../cells/spec.js";
import type { CellStore, KeyedCell } from "./cell-store.js";
import { makeFolders } from "./make-folders.js";
import { decodeRun, runFileName, runId, type StoredRun } from "./run-file.js";
import { storeFailure, systemCode } from "./store-failure.js";
import { writeOnce } from "./write-once.js";

/** The folder inside a store that tells which runs it serves: `ID.json` where a run's report goes, `ID.cells` what it asked for. */
const folderName = "runs";
const nameOfRun = /^([0-9a-f]{64})\.(json|cells)$/;
const keyLine = /^[0-9a-f]{64}$/;

const placeIn = (store: string, name: string): string => path.join(store, folderName, name);

/**
 * Enters a run into its store, and gives the store as the run should use it: every cell that is asked for is noted first, by
 * which {@link registeredRuns} knows later what the run refers to.
 *
 * @throws E_STORE when the store cannot be written
 */
export function registerRun(run: StoredRun, store: CellStore): CellStore {
  const id = runId(run);
  const noted = new Set<string>();
  const log = placeIn(run.store, `${id}.cells`);
  const trying = <Result>(action: string, file: string, work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      return storeFailure(action, file, error);
    }
  };
  trying("note the run in", path.dirname(log), () => {
    makeFolders(path.dirname(log));
    writeOnce(placeIn(run.store, `${id}.json`), canonicalJson({ folder: run.folder }) + "\n");
  });
  const note = (key: string): void => {
    if (noted.has(key)) return;
    // A line that a killed run left half-written ends here.
    trying("note a cell in", log, () => fs.appendFileSync(log, noted.size === 0 ? `\n${key}\n` : `${key}\n`));
    noted.add(key);
  };
  return {
    location: store.location,
    read: <Spec extends CellSpec>(cell: KeyedCell<Spec>) => {
      note(cell.key);
      return store.read(cell);
    },
    write: (cell, outcome) => store.write(cell, outcome),
  };
}

/** A run that a store has served. */
export interface RegisteredRun {
  readonly id: string;
  /** Its files in the store. */
  readonly files: readonly string[];
  /** The folder of its report; undefined where the entry cannot be read. */
  readonly folder: string | undefined;
  /** Whether its plan is still in that folder. What cannot be read counts as there. */
  readonly isPlanned: boolean;
  /** The cells that it asked for. */
  readonly keys: ReadonlySet<string>;
}

/** The runs of a store by their names; none where the folder is no store. */
export function registeredRuns(store: string): readonly RegisteredRun[] {
  const names = namesIn(path.join(store, folderName)).filter((name) => nameOfRun.test(name));
  const ids = new Set(names.map((name) => nameOfRun.exec(name)![1]!));
  return [...ids].sort().map((id) => {
    const files = names.filter((name) => name.startsWith(id)).map((name) => placeIn(store, name));
    const folder = folderOf(placeIn(store, `${id}.json`));
    const isPlanned = folder === undefined || hasPlan(folder, id);
    return { id, files, folder, isPlanned, keys: keysOf(placeIn(store, `${id}.cells`)) };
  });
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return [];
    return storeFailure("read", folder, error);
  }
}

function folderOf(entry: string): string | undefined {
  try {
    const content = JSON.parse(fs.readFileSync(entry, "utf8")) as { readonly folder?: unknown } | null;
    return typeof content?.folder === "string" ? content.folder : undefined;
  } catch {
    return undefined;
  }
}

/** Only a file that is certainly gone, or certainly that of another run, says that a run is no longer planned. */
function hasPlan(folder: string, id: string): boolean {
  const file = path.join(folder, runFileName);
  try {
    return runId(decodeRun(fs.readFileSync(file, "utf8"), file)) === id;
  } catch (error) {
    return systemCode(error) !== "ENOENT" && systemCode(error) !== "ENOTDIR";
  }
}

function keysOf(log: string): ReadonlySet<string> {
  try {
    return new Set(
      fs
        .readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => keyLine.test(line)),
    );
  } catch (error) {
    if (systemCode(error) === "ENOENT") return new Set();
    return storeFailure("read", log, error);
  }
}
