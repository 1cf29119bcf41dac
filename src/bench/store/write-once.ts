import fs from "node:fs";
import path from "node:path";
import { systemCode } from "./store-failure.js";
import { temporaryBeside } from "./temporary-file.js";

/** What systems say where hard links do not exist. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK", "EINVAL", "EACCES"]);

/** What systems say when a folder cannot be opened for fsync; its entry is then as safe as the system makes it. */
const NO_FOLDER_SYNC = new Set(["EPERM", "EISDIR", "EACCES", "EINVAL", "ENOTSUP"]);

/**
 * Writes a file that must not exist yet, whole or not at all: a temporary file beside it, flushed to the disk, then a
 * hard link to the final name, which fails when somebody was first. Where links do not exist the final name is
 * created exclusively instead.
 *
 * The calls are synchronous: a signal is handled before or after them, so nothing temporary stays. A process whose clock is
 * wrong may take the temporary file for one that was left behind and remove it; it is then written again, once.
 *
 * @returns false when the file already exists; it is left as it is
 * @throws the system's error
 */
export function writeOnce(file: string, content: string): boolean {
  try {
    return attempt(file, content);
  } catch (error) {
    if (systemCode(error) !== "ENOENT" || !fs.existsSync(path.dirname(file))) throw error;
    return attempt(file, content);
  }
}

function attempt(file: string, content: string): boolean {
  const temporary = temporaryBeside(file);
  try {
    createFlushed(temporary, content);
    return publish(temporary, file, content);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

function publish(temporary: string, file: string, content: string): boolean {
  try {
    fs.linkSync(temporary, file);
  } catch (error) {
    const code = systemCode(error) ?? "";
    if (code === "EEXIST") return false;
    if (!NO_LINKS.has(code)) throw error;
    if (!createExclusively(file, content)) return false;
  }
  flushFolder(path.dirname(file));
  return true;
}

function createExclusively(file: string, content: string): boolean {
  try {
    createFlushed(file, content);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Creates a new file and flushes it; removes it again when writing fails. */
function createFlushed(file: string, content: string): void {
  const descriptor = fs.openSync(file, "wx");
  try {
    fs.writeFileSync(descriptor, content);
    fs.fsyncSync(descriptor);
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

function flushFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(folder, "r");
    fs.fsyncSync(descriptor);
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(systemCode(error) ?? "")) throw error;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
