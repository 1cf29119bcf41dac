import fs from "node:fs";
import path from "node:path";
import { fail } from "../../errors/index.js";
import { packageFingerprint } from "../cells/fingerprint.js";
import type { CellOutcome } from "../cells/result.js";
import { describeCell, type CellSpec } from "../cells/spec.js";
import { makeFolders } from "./make-folders.js";
import { decodeCell, encodeCell, UnusableCell } from "./cell-file.js";
import { requireSameResult, type CellStore, type KeyedCell } from "./cell-store.js";
import { storeFailure, systemCode } from "./store-failure.js";
import { removeStaleTemporaries, temporaryBeside } from "./temporary-file.js";
import { writeOnce } from "./write-once.js";

/** A file that was found in a cell's place and moved out of the way; the cell is computed again. */
export interface StoreNotice {
  readonly file: string;
  readonly movedTo: string;
  readonly reason: string;
}

/** Settings of a store in a folder. */
export interface StoreSettings {
  /** Told about every corrupt or foreign file. */
  readonly onNotice?: (notice: StoreNotice) => void;
  /** The hash of the code that computes the cells; the package's own by default. */
  readonly fingerprint?: string;
}

/**
 * Opens a store in a folder, which is made when it does not exist: one file a cell, `<key>.json`. Removes what killed
 * runs left half-written, and makes sure that the folder can be written before anything is computed.
 *
 * @throws E_STORE when the folder cannot be made, read or written
 */
export function openStore(folder: string, settings: StoreSettings = {}): CellStore {
  const location = path.resolve(folder);
  prepare(location);
  const fileOf = (key: string): string => path.join(location, `${key}.json`);

  const setAside = (file: string, reason: string): void => {
    const movedTo = freeName(`${file}.corrupt`);
    try {
      fs.renameSync(file, movedTo);
    } catch (error) {
      storeFailure("move aside the unusable cell", file, error);
    }
    settings.onNotice?.({ file, movedTo, reason });
  };

  const read = <Spec extends CellSpec>({ key }: KeyedCell<Spec>): CellOutcome<Spec> | undefined => {
    const file = fileOf(key);
    const text = readText(file);
    if (text === undefined) return undefined;
    try {
      return decodeCell<Spec>(key, text);
    } catch (error) {
      if (!(error instanceof UnusableCell)) throw error;
      setAside(file, error.message);
      return undefined;
    }
  };

  const write = <Spec extends CellSpec>(
    cell: KeyedCell<Spec>,
    outcome: CellOutcome<Spec>,
  ): CellOutcome<Spec> => {
    const file = fileOf(cell.key);
    const text = encodeCell(cell.key, settings.fingerprint ?? packageFingerprint(), cell.spec, outcome);
    for (let attempt = 0; attempt < 2; attempt++) {
      if (writeOrFail(file, text)) return outcome;
      const earlier = read(cell);
      if (earlier !== undefined) {
        requireSameResult(cell, earlier, outcome);
        return earlier;
      }
    }
    return fail(
      "E_STORE",
      `cannot write ${file} (${describeCell(cell.spec)}): unusable files keep appearing there`,
    );
  };

  return { location, read, write };
}

function prepare(folder: string): void {
  try {
    makeFolders(folder);
    const probe = temporaryBeside(path.join(folder, "probe"));
    try {
      fs.writeFileSync(probe, "gradstand\n", { flag: "wx" });
      removeStaleTemporaries(folder, fs.statSync(probe).mtimeMs);
    } finally {
      fs.rmSync(probe, { force: true });
    }
  } catch (error) {
    storeFailure("use as the store of cells", folder, error);
  }
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return undefined;
    if (code === "EISDIR") return "";
    return storeFailure("read", file, error);
  }
}

function writeOrFail(file: string, text: string): boolean {
  try {
    return writeOnce(file, text);
  } catch (error) {
    return storeFailure("write", file, error);
  }
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; fs.existsSync(name); count++) name = `${wanted}-${count}`;
  return name;
}
