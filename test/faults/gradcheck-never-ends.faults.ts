import { expect, test } from "vitest";
import { gradcheck } from "../cli/gradcheck/file.js";

test.each([
  ["an import that never ends", "a.js", "for (;;);", /it did not end within 2 s while it was imported/],
  [
    "an await that never ends",
    "a.mjs",
    "await new Promise((end) => setTimeout(end, 60_000));",
    /it did not end within 2 s/,
  ],
])("%s is stopped and named", async (_what, file, text, message) => {
  const { code, err } = await gradcheck(file, text, ["--timeout", "2"]);
  expect(err).toMatch(message);
  expect(code).toBe(2);
});

test("a function that never ends is stopped; what was checked before it counts", async () => {
  const text = `export const a = (x) => x.tanh(); a.signature = "(n)";
  export const b = () => { for (;;); }; b.signature = "(n)";
  export const c = a;`;
  const { code, out } = await gradcheck("a.js", text, ["--timeout", "6"]);
  expect(code).toBe(1);
  expect(out).toMatch(/^b\n {2}FAIL Time\n {7}it did not end within 6 s; what comes after it was not run$/m);
  expect(out).toMatch(/5 passed, 1 failed\n$/);
});
