import fs from "node:fs";
import path from "node:path";
import { makeFolders, removeStaleTemporaries, temporaryBeside } from "../bench/index.js";
import { fail } from "../errors/index.js";

function refuse(action: string, target: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const advice =
    code === "ENOTDIR" || code === "EEXIST"
      ? "a file is where a folder should be; name another folder with --out"
      : code === "ENOSPC" || code === "EDQUOT"
        ? "the disk is full; free some space and run the same command again, finished cells are stored"
        : "name another folder with --out";
  fail("E_OUTPUT", `cannot ${action} ${target}: ${message}; ${advice}`, { cause: error });
}

/**
 * Makes a folder, removes what killed processes left half-written in it, and shows that it can be written and that no folder stands where `file` will be, before anything is
 * computed. Throws `E_OUTPUT`.
 */
export function prepareFolder(folder: string, file: string): void {
  const target = path.join(folder, file);
  const probe = temporaryBeside(path.join(folder, "probe"));
  try {
    makeFolders(folder);
    fs.writeFileSync(probe, "");
    removeStaleTemporaries(folder, fs.statSync(probe).mtimeMs);
    fs.unlinkSync(probe);
  } catch (error) {
    refuse("write into the folder", folder, error);
  }
  if (fs.existsSync(target) && fs.statSync(target).isDirectory()) {
    refuse("write", target, Object.assign(new Error("a folder of that name is there"), { code: "EISDIR" }));
  }
}

/** Writes a file so that it is there whole or not at all: a temporary file beside it, synced, then renamed. Throws `E_OUTPUT`. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const temporary = temporaryBeside(file);
  try {
    const handle = fs.openSync(temporary, "w");
    try {
      fs.writeFileSync(handle, content);
      fs.fsyncSync(handle);
    } finally {
      fs.closeSync(handle);
    }
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    refuse("write", file, error);
  }
}
