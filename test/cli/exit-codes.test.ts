import { expect, test } from "vitest";
import { exitCodeOf } from "../../src/cli/exit-codes.js";
import { errorCodes, GradstandError, type ErrorCode } from "../../src/errors/index.js";

const checkFailed = ["E_REPORT", "E_IDENTITY", "E_GRADCHECK", "E_LAW"];
const usage = [
  "E_USAGE",
  "E_GRADCHECK_FILE",
  "E_INSPECT_FILE",
  "E_IDEA",
  "E_TRACK",
  "E_PLUGIN_FILE",
  "E_PLUGIN",
  "E_IMPURE",
  "E_PLAN",
  "E_UNLIKE",
  "E_VALUE",
  "E_KERNELS",
  "E_SLURM",
  "E_REDIS",
];

test.each(Object.keys(errorCodes) as ErrorCode[])("the exit code of %s", (code) => {
  const expected = checkFailed.includes(code)
    ? 1
    : usage.includes(code)
      ? 2
      : code === "E_INTERRUPTED"
        ? 130
        : 4;
  expect(exitCodeOf(new GradstandError(code, "so"))).toBe(expected);
});

test.each(["E_OUTPUT", "E_STORE"] as const)("%s is usage when the path is wrong, else internal", (code) => {
  const caused = (system?: string): number =>
    exitCodeOf(
      new GradstandError(code, "so", system ? { cause: Object.assign(new Error(), { code: system }) } : {}),
    );
  for (const wrong of ["EACCES", "EEXIST", "EISDIR", "ENOENT", "ENOTDIR", "EPERM", "EROFS", "ENAMETOOLONG"])
    expect(caused(wrong)).toBe(2);
  for (const machine of ["ENOSPC", "EDQUOT", "EIO", "EMFILE"]) expect(caused(machine)).toBe(4);
  expect(caused()).toBe(4);
});

test("any other error is internal", () => {
  expect(exitCodeOf(new TypeError("x is undefined"))).toBe(4);
  expect(exitCodeOf("thrown text")).toBe(4);
});
