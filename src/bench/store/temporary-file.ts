import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { systemCode } from "./store-failure.js";

const HOUR = 3_600_000;
const HOST = os.hostname().replace(/[^A-Za-z0-9-]/g, "-");
const NAME = /\.(?<host>[A-Za-z0-9-]+)\.(?<pid>\d+)\.\d+\.tmp$/;

let made = 0;

/** A name beside `file` that no other writer uses; it tells which process made it. */
export function temporaryBeside(file: string): string {
  made += 1;
  return `${file}.${HOST}.${process.pid}.${made}.tmp`;
}

/**
 * Whether a file was left behind by a writer: one of this machine that is gone, or one of another machine over an hour ago.
 * No other file is. `now` should come from the clock that stamps the files.
 */
export function isStaleTemporary(file: string, now = Date.now()): boolean {
  const { host, pid } = NAME.exec(path.basename(file))?.groups ?? {};
  if (host === undefined) return false;
  return host === HOST ? !isRunning(Number(pid)) : now - fs.statSync(file).mtimeMs > HOUR;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM";
  }
}

/** Removes what killed writers left in a folder. Another process may be doing the same, so a file may be gone. */
export function removeStaleTemporaries(folder: string, now?: number): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    try {
      if (isStaleTemporary(file, now)) fs.rmSync(file, { force: true });
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
}
