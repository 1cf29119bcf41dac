import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { packageRoot } from "../package-place.js";
import { sha256 } from "../cells/key.js";
import type { Provenance } from "../record.js";

/** Commit, changes and lock file of a working copy. */
export type WorkingCopy = Pick<Provenance, "commit" | "dirty" | "lock">;

/** The working copy as it is; what cannot be found out, without git for one, is left out. */
export function workingCopy(root = packageRoot()): WorkingCopy {
  const lock = path.join(root, "package-lock.json");
  return {
    ...(fs.existsSync(path.join(root, ".git")) ? commitOf(root) : {}),
    ...(fs.existsSync(lock) ? { lock: sha256(fs.readFileSync(lock, "utf8")) } : {}),
  };
}

function commitOf(root: string): Pick<Provenance, "commit" | "dirty"> {
  const git = (...words: string[]): string =>
    execFileSync("git", ["--no-optional-locks", ...words], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5000,
    }).trim();
  try {
    return { commit: git("rev-parse", "HEAD"), dirty: git("status", "--porcelain") !== "" };
  } catch {
    return {};
  }
}
