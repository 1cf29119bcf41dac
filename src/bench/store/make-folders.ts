import fs from "node:fs";
import path from "node:path";

/**
 * Makes a folder and those above it that are missing, one at a time. Node's own recursive form never returns where the
 * system refuses a folder below `/proc`, and reports a read-only file system as "no such file".
 *
 * @throws the system's error, such as ENOTDIR, EACCES or EROFS
 */
export function makeFolders(folder: string): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !fs.existsSync(at) && path.dirname(at) !== at; at = path.dirname(at))
    missing.push(at);
  for (const at of missing.reverse()) makeFolder(at);
  if (!fs.statSync(folder).isDirectory()) {
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${folder}'`), { code: "ENOTDIR" });
  }
}

/** Another process may have made it in the meantime. */
function makeFolder(folder: string): void {
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
