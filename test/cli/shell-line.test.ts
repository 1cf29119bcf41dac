import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellLine } from "../../src/cli/shell-line.js";
import { runs } from "../runs.js";

test("plain words stay as they are, others are quoted", () => {
  expect(shellLine(["npx", "gradstand", "--out", "my reports/it's", ""])).toBe(
    "npx gradstand --out 'my reports/it'\\''s' ''",
  );
});

test.skipIf(process.platform === "win32")("a shell gives the words back", () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."a ~'\"\\$`*?!&|;<>()[]{}#=%-\n") }),
    fc.string(),
  );
  const words = fc.array(
    word.filter((text) => !text.includes("\0")),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(words, (given) => {
      const read = execFileSync("sh", ["-c", `printf '%s\\0' ${shellLine(given)}`]).toString();
      expect(read.split("\0").slice(0, -1)).toEqual(given);
    }),
    { numRuns: runs(30) },
  );
});
