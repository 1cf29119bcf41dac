import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { exitCodeOf } from "../../src/cli/exit-codes.js";
import { writeWhole } from "../../src/cli/output-folder.js";
import { emptyFolder, filesBelow } from "./command.js";

afterEach(() => void vi.restoreAllMocks());

function thrownBy(work: () => void): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("expected an error");
}

test("a file is written whole, in the place of an earlier one, and leaves nothing beside it", () => {
  const folder = emptyFolder();
  const file = path.join(folder, "report.json");
  writeWhole(file, "first");
  writeWhole(file, "second");
  expect(fs.readFileSync(file, "utf8")).toBe("second");
  expect(filesBelow(folder)).toEqual(["report.json"]);
});

test.each(["writeFileSync", "fsyncSync"] as const)(
  "a disk that is full at %s leaves the earlier file as it was and nothing beside it, and is the machine's fault",
  (call) => {
    const folder = emptyFolder();
    const file = path.join(folder, "report.json");
    writeWhole(file, "first");
    vi.spyOn(fs, call).mockImplementation(() => {
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    });
    const error = thrownBy(() => writeWhole(file, "second"));
    vi.restoreAllMocks();
    expect(error.message).toMatch(
      /^E_OUTPUT: cannot write .*report\.json: ENOSPC.*the disk is full; free some space and run the same command again/,
    );
    expect(exitCodeOf(error)).toBe(4);
    expect(fs.readFileSync(file, "utf8")).toBe("first");
    expect(filesBelow(folder)).toEqual(["report.json"]);
  },
);
