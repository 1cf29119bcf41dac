import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { systemCode } from "./store-failure.js";

const ENDING = ".tmp";
const HOUR = 3_600_000;
const HOST = os.hostname().replace(/[^A-Za-z0-9-]/g, "-");

let made = 0;

/** A name beside `file` that no other writer uses; it tells which process made it. */
export function temporaryBeside(file: string): string {
  made += 1;
  return `${file}.${HOST}.${process.pid}.${made}${ENDING}`;
}

/** Whether the file was left behind: its writer on this machine is gone, or it is over an hour old. */
function isStale(file: string, now: number): boolean {
  const [host, pid] = file.split(".").slice(-4);
  if (host === HOST && !isRunning(Number(pid))) return true;
  return now - fs.statSync(file).mtimeMs > HOUR;
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
export function removeStaleTemporaries(folder: string, now = Date.now()): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (!name.endsWith(ENDING)) continue;
    try {
      if (isStale(file, now)) fs.rmSync(file, { force: true });
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
}
