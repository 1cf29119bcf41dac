import type { ErrorCode } from "../errors/index.js";
import { GradstandError } from "../errors/index.js";

/** What the process reports to its caller. */
export const exitCodes = {
  /** Done, whatever the verdict. */
  done: 0,
  /** A check failed: a report that does not hold, an identity that fails. */
  checkFailed: 1,
  /** The command line, or something that it names, cannot be used. */
  usage: 2,
  /** An internal fault, or the machine failed: a full disk, a worker that dies twice, a cell that did not end. */
  internal: 4,
  /** There was nothing to run. */
  nothingRan: 5,
  interrupted: 130,
} as const;

const byCode: Partial<Record<ErrorCode, number>> = {
  E_REPORT: exitCodes.checkFailed,
  E_IDENTITY: exitCodes.checkFailed,
  E_GRADCHECK: exitCodes.checkFailed,
  E_LAW: exitCodes.checkFailed,
  E_USAGE: exitCodes.usage,
  E_GRADCHECK_FILE: exitCodes.usage,
  E_INSPECT_FILE: exitCodes.usage,
  E_IDEA: exitCodes.usage,
  E_TRACK: exitCodes.usage,
  E_PLUGIN_FILE: exitCodes.usage,
  E_PLUGIN: exitCodes.usage,
  E_IMPURE: exitCodes.usage,
  E_PLAN: exitCodes.usage,
  E_UNLIKE: exitCodes.usage,
  E_VALUE: exitCodes.usage,
  E_KERNELS: exitCodes.usage,
  E_SLURM: exitCodes.usage,
  E_REDIS: exitCodes.usage,
  E_INTERRUPTED: exitCodes.interrupted,
};

/** System errors that say that a path was a wrong choice, not that the machine failed. */
const wrongPath = new Set([
  "EACCES",
  "EEXIST",
  "EISDIR",
  "ENOENT",
  "ENOTDIR",
  "EPERM",
  "EROFS",
  "ENAMETOOLONG",
  "ELOOP",
]);

/** The exit code of an error. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof GradstandError)) return exitCodes.internal;
  if (error.code === "E_OUTPUT" || error.code === "E_STORE") {
    const cause = error.cause as { code?: string } | undefined;
    return wrongPath.has(cause?.code ?? "") ? exitCodes.usage : exitCodes.internal;
  }
  return byCode[error.code] ?? exitCodes.internal;
}
