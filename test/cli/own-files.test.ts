import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { folderWith, ideaText } from "../bench/plugins/user-file.js";
import { gradstand } from "./command.js";

const smallest = ["--preset", "quick", "--seeds", "1", "--train", "8", "--test", "8", "--jobs", "1"];
const run = (folder: string, ...words: string[]) =>
  gradstand(["bench", "run", ...words, ...smallest], folder);
const cells = (folder: string) =>
  fs.readdirSync(path.join(folder, ".gradstand/cells")).filter((name) => name.endsWith(".json")).length;

test("a built-in idea from a file gives the same bits, in worker threads", async () => {
  const folder = folderWith({
    "mine.ts":
      'import { builtInIdeas } from "gradstand/ideas"; export default builtInIdeas.get("moment-rank2");',
  });
  for (const [idea, out] of [
    ["./mine.ts", "file"],
    ["moment-rank2", "built-in"],
  ] as const)
    expect((await run(folder, idea, "--out", out)).code).toBe(0);
  const [own, builtIn] = ["file", "built-in"].map((out) => {
    const text = fs.readFileSync(path.join(folder, out, "bench_report.json"), "utf8");
    const { baseline, idea, mechanism, mechanism_signature, math_checks } = (
      JSON.parse(text) as { bench_report: Record<string, unknown> }
    ).bench_report;
    return { baseline, idea, mechanism, mechanism_signature, math_checks };
  });
  expect(own).toEqual(builtIn);
});

test("finished cells are found again; an edit of what the file imports makes new ones", async () => {
  const folder = folderWith({
    "mine.ts": ideaText({ options: "{ strength: half }" }, 'import { half } from "./half.js";'),
    "half.ts": "export const half: number = 0.5;",
  });
  await run(folder, "./mine.ts");
  const stored = cells(folder);
  await run(folder, "./mine.ts");
  expect(cells(folder)).toBe(stored);
  fs.appendFileSync(path.join(folder, "half.ts"), "// another text\n");
  await run(folder, "./mine.ts");
  // A mechanism and three rates of the idea's arm; the baseline's cells are the same.
  expect(cells(folder)).toBe(stored + 4);
});

test("the built-in ideas know nothing of the bench", () => {
  const folder = path.resolve("src/ideas");
  const modules = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"));
  expect(modules.length).toBeGreaterThan(20);
  const importing = modules.filter((name) =>
    /from "[^"]*\/bench\//.test(fs.readFileSync(path.join(folder, name), "utf8")),
  );
  expect(importing).toEqual([]);
});

test("an error in a worker thread keeps its code, its line and its exit code", async () => {
  const text = ideaText({ measure: "() => {\n    throw new Error('no luck');\n  }" });
  const { code, err } = await run(folderWith({ "mine.ts": text }), "./mine.ts");
  expect(err).toMatch(
    /^E_PLUGIN: the idea mine \(mine\.ts\): measure\(\) threw Error: no luck at mine\.ts:\d+: `throw new Error\('no luck'\);`/m,
  );
  expect(code).toBe(2);
});

test("bench list says where each idea comes from", async () => {
  const folder = folderWith({ "mine.ts": ideaText() });
  const { code, out } = await gradstand(["bench", "list", "./mine.ts"], folder);
  expect(code).toBe(0);
  expect(out).toMatch(/mine {2}Mine {2}\[\.\/mine\.ts\]/);
  expect(out).toMatch(/rnn_small .* \[built in\]/);
});

test("a file that brings no idea, and no such file", async () => {
  const folder = folderWith({ "mine.ts": "export const a = 1;" });
  expect((await run(folder, "./mine.ts")).err).toMatch(
    /E_PLUGIN_FILE: \.\/mine\.ts: expected a default export/,
  );
  expect((await run(folder, "./your.ts")).err).toMatch(/E_PLUGIN_FILE: \.\/your\.ts: there is no such file/);
});
