import { expect, test } from "vitest";
import { folderWith, ideaText } from "../bench/plugins/user-file.js";
import { gradstand } from "../cli/command.js";

const smallest = ["--preset", "quick", "--seeds", "1", "--train", "8", "--test", "8", "--jobs", "1"];
const run = (folder: string, ...words: string[]) =>
  gradstand(["bench", "run", ...words, ...smallest], folder);

test.each([
  [
    "an import",
    ideaText({}, "for (;;);"),
    "2",
    /E_PLUGIN_FILE: \.\/mine\.ts: it did not end within 2 s, and was stopped .*while it was imported/,
  ],
  [
    "change()",
    ideaText({ change: "() => { for (;;); }" }),
    "6",
    /E_PLUGIN: \.\/mine\.ts: the idea mine: change\(\): it did not end within 6 s/,
  ],
  [
    "checks()",
    ideaText({ checks: "() => { for (;;); }" }),
    "6",
    /E_TIMEOUT: the mathematical checks of mine took longer than 6 s.*stopped in the idea mine \(mine\.ts\): checks\(\)/,
  ],
])("%s that never ends is stopped by --timeout, and named", async (_what, text, seconds, message) => {
  const { code, err } = await run(folderWith({ "mine.ts": text }), "./mine.ts", "--timeout", seconds);
  expect(err).toMatch(message);
  expect(code).not.toBe(0);
});

test("hidden() that never ends is stopped in the trial, and named", async () => {
  const text = ideaText({ change: "() => ({ hidden: () => { for (;;); } })" });
  const { err } = await run(folderWith({ "mine.ts": text }), "./mine.ts", "--timeout", "8");
  expect(err).toMatch(
    /E_TIMEOUT: the trial of mine took longer than 8 s.*stopped in the idea mine \(mine\.ts\): hidden\(\)/,
  );
});
