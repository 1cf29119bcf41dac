import { fail } from "../../errors/index.js";

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full; free some space or choose another folder",
  EDQUOT: "the disk quota is used up; free some space or choose another folder",
  EFBIG:
    "the file would be larger than is allowed (ulimit -f, or the file system); raise the limit or choose another folder",
  ENOTDIR: "a file stands where a folder is needed; remove it or choose another folder",
  EEXIST: "a file stands where a folder is needed; remove it or choose another folder",
  EACCES: "permission was denied; change the permissions or choose another folder",
  EPERM: "the operation was not permitted; change the permissions or choose another folder",
  EROFS: "the file system is read-only; choose another folder",
  ENAMETOOLONG: "the path is too long; choose a shorter one",
};

/** The code of a system error, such as `ENOSPC`. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Throws E_STORE with what was tried, the path, what the system said, and what to do. */
export function storeFailure(action: string, file: string, error: unknown): never {
  const said = error instanceof Error ? error.message : String(error);
  const advice = ADVICE[systemCode(error) ?? ""];
  fail("E_STORE", `cannot ${action} ${file}: ${advice === undefined ? said : `${advice} (${said})`}`, {
    cause: error,
  });
}
