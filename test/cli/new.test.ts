import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder, filesBelow, gradstand } from "./command.js";
import { inProcessAt } from "./recording-terminal.js";

const smallest = ["--preset", "quick", "--seeds", "1", "--train", "8", "--test", "8", "--jobs", "1"];

test("an idea, a track and a model run as they are written, in a folder where nothing is installed", async () => {
  const folder = emptyFolder();
  for (const words of [["my-idea"], ["my-track", "--track"], ["my-model", "--model"]])
    expect((await gradstand(["bench", "new", ...words], folder)).code).toBe(0);
  expect(filesBelow(folder)).toEqual([
    "gradstand.config.json",
    ...["idea", "model", "track"].flatMap((kind) => [`my-${kind}.md`, `my-${kind}.test.ts`, `my-${kind}.ts`]),
  ]);
  const words = ["./my-idea.ts", "--track", "./my-track.ts", "--model", "./my-model.ts", ...smallest];
  const { code, out, err } = await gradstand(["bench", "run", ...words], folder);
  expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/my-track with my-model, preset quick/);
  expect(out).toMatch(/mechanism confirmed on 1 trained models?; 1 of 1 identities/);
  const verified = await gradstand(["bench", "verify", "reports/my-idea/bench_report.json"], folder);
  expect(verified.code).toBe(0);
});

test("--js has no types in it, and runs", async () => {
  const folder = emptyFolder();
  await gradstand(["bench", "new", "plain", "--js"], folder);
  const text = fs.readFileSync(path.join(folder, "plain.js"), "utf8");
  expect(text).not.toMatch(/: (Tensor|number)\b|import type/);
  expect((await gradstand(["bench", "run", "./plain.js", ...smallest], folder)).code).toBe(0);
});

test("nothing is written over, and nothing is written when one file is there", async () => {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, "my-idea.md"), "mine");
  const { code, err } = await gradstand(["bench", "new", "my-idea"], folder);
  expect(code).toBe(2);
  expect(err).toMatch(
    /E_OUTPUT: bench new: my-idea\.md is there already in .*; choose another name.*Nothing was written/,
  );
  expect(filesBelow(folder)).toEqual(["my-idea.md"]);
  expect(fs.readFileSync(path.join(folder, "my-idea.md"), "utf8")).toBe("mine");
});

test("settings that are there stay as they are", async () => {
  const folder = emptyFolder();
  fs.writeFileSync(path.join(folder, "gradstand.config.ts"), "export default {};");
  expect((await gradstand(["bench", "new", "my-idea"], folder)).code).toBe(0);
  expect(filesBelow(folder)).not.toContain("gradstand.config.json");
});

test.each([
  [[], /expected one name, got none/],
  [["a", "b"], /expected one name, got a b/],
  [["../a"], /expected a name of letters, digits, - and _, such as my-idea, got "\.\.\/a"/],
  [["a", "--track", "--model"], /expected --track or --model, got both/],
  [["a", "--tracks"], /there is no option --tracks; did you mean '--track'/],
])("%j is refused", async (words, message) => {
  const { code, err } = await inProcessAt(["bench", "new", ...words], emptyFolder());
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});
