import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { loadPlugins } from "../../../src/bench/plugins/load-plugins.js";
import { fileOf } from "../../../src/bench/plugins/registry.js";
import { fileWith, folderWith, ideaText } from "./user-file.js";

const track = `{
  name: "ramp", title: "Ramp", description: "a ramp", metric: "MSE", loss: "squared error", direction: "lower", defaultModel: "rnn_small",
  input: { kind: "series", steps: 2, features: 1 }, outputs: 1, make: () => ({}), floors: () => [],
}`;
const model = `{
  name: "nil", title: "Nil", description: "nothing", places: ["hidden"], accepts: () => true, build: () => ({}),
}`;

describe("what a file brings", () => {
  test.each(["mine.ts", "mine.mts", "mine.js", "mine.mjs"])("an idea from %s", async (name) => {
    const { ideas, tracks, models, file } = await loadPlugins(fileWith(ideaText(), name));
    expect([ideas.map((idea) => idea.name), tracks, models]).toEqual([["mine"], [], []]);
    expect(file.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(fileOf(ideas[0]!)).toEqual(file);
  });

  test("an idea from CommonJS", async () => {
    const text = ideaText().replace("export default", "module.exports =");
    expect((await loadPlugins(fileWith(text, "mine.cjs"))).ideas).toHaveLength(1);
  });

  test("types, a typed helper, and the package's own modules: the classes of this thread", async () => {
    const text = `import { tensor, Tensor } from "gradstand";
import { defineIdea, defineTrack, defineModel } from "gradstand/bench";
const half: number = 0.5;
${ideaText({
  change: "(options) => ({ hidden: (h: Tensor): Tensor => h.mul(tensor(half * options.strength)) })",
})
  .replace("export default {", "export default defineIdea({")
  .replace(/\};\n$/, "});")}`;
    const { ideas } = await loadPlugins(fileWith(text));
    const { tensor } = await import("../../../src/autograd/index.js");
    const { generator } = await import("../../../src/random/index.js");
    const { hidden } = ideas[0]!.change({ strength: 3 }, generator(0));
    expect(hidden!(tensor([2, 4])).toArray()).toEqual([3, 6]);
  });

  test("a list: ideas, tracks and models together", async () => {
    const text = `const idea = ${ideaText().replace("\nexport default ", "")} export default [idea, ${track}, ${model}];`;
    const { ideas, tracks, models } = await loadPlugins(fileWith(text));
    expect([ideas, tracks, models].map(([first]) => first!.name)).toEqual(["mine", "ramp", "nil"]);
  });

  test("an idea without a summary gets that of its claims", async () => {
    const [idea] = (await loadPlugins(fileWith(ideaText()))).ideas;
    expect(idea!.summarize([], []).confirmed).toBe(false);
  });
});

describe("the hash", () => {
  const importing = (what: string) => ideaText({}, `import "./${what}";`);

  test.each([
    ["its own text", "mine.ts", (folder: string) => path.join(folder, "mine.ts")],
    ["a file that it imports", "b.ts", (folder: string) => path.join(folder, "inner/b.ts")],
    ["one that this one imports", "c.mjs", (folder: string) => path.join(folder, "inner/c.mjs")],
    ["data that this one imports", "d.json", (folder: string) => path.join(folder, "d.json")],
  ])("changes with %s", async (_what, _name, edited) => {
    const folder = folderWith({
      "mine.ts": importing("inner/b.js"),
      "inner/b.ts": 'import "./c.mjs"; export const b = 1;',
      "inner/c.mjs": 'import data from "../d.json"; export default data;',
      "d.json": "[1, 2]",
      "other.ts": "export {};",
    });
    const file = path.join(folder, "mine.ts");
    const { hash } = (await loadPlugins(file)).file;
    fs.appendFileSync(path.join(folder, "other.ts"), "\n");
    expect((await loadPlugins(file)).file.hash).toBe(hash);
    fs.appendFileSync(edited(folder), "\n");
    expect((await loadPlugins(file)).file.hash).not.toBe(hash);
  });

  test("is that of the content, wherever the file lies and whatever it is called", async () => {
    const [one, other] = await Promise.all(
      ["mine.ts", "yours.ts"].map((name) => loadPlugins(fileWith(ideaText(), name))),
    );
    expect(one!.file.hash).toBe(other!.file.hash);
  });

  test("an edited file is loaded anew, also in one process", async () => {
    for (const name of ["mine.ts", "mine.mjs"]) {
      const file = fileWith(ideaText(), name);
      expect((await loadPlugins(file)).ideas[0]!.title).toBe("Mine");
      fs.writeFileSync(file, ideaText({ title: '"Edited"' }));
      expect((await loadPlugins(file)).ideas[0]!.title).toBe("Edited");
    }
  });
});

describe("a file that cannot be used", () => {
  test.each([
    [
      "no default export",
      "export const mine = 1;",
      /E_PLUGIN_FILE: .*mine\.ts: expected a default export: an idea, a track, a model, or a list of these; found the exports mine\. Write `export default defineIdea/,
    ],
    ["no export", "const a = 1;", /E_PLUGIN_FILE: .*expected a default export.*; found no export/],
    ["an empty list", "export default [];", /E_PLUGIN_FILE: .*found an empty list/],
    [
      "a number",
      "export default 3;",
      /E_PLUGIN_FILE: .*expected its default export to be an idea .*, found number 3/,
    ],
    [
      "an object of another kind",
      "export default { title: 'x' };",
      /E_PLUGIN_FILE: .*found an object with title/,
    ],
    [
      "a syntax error",
      "const a = 1;\nconst b = (;\n",
      /E_PLUGIN_FILE: .*mine\.ts: it cannot be imported \(line 2\): ParseError/,
    ],
    [
      "a throw",
      "const a = 1;\n\nthrow new RangeError('no luck');",
      /E_PLUGIN_FILE: .*it cannot be imported \(line 3\): RangeError: no luck/,
    ],
    [
      "an import of nothing",
      'import "./nowhere.js"; export default 1;',
      /E_PLUGIN_FILE: .*Cannot find module '\.\/nowhere\.js'/,
    ],
    [
      "an idea without parts",
      ideaText({ change: "undefined", title: "7" }),
      /E_IDEA: .*mine\.ts: the idea mine is not well formed: title: expected a text, got number 7; change: expected a function, got undefined/,
    ],
    [
      "an idea with a mistyped part",
      ideaText({ mesure: "1" }),
      /E_IDEA: .*mesure: an idea has no such part; it has name, title/,
    ],
    [
      "an idea with an option of another kind",
      ideaText({ options: "{ rank: [2] }" }),
      /E_IDEA: .*options\.rank: expected a finite number, a text, true or false, got a list/,
    ],
    [
      "an idea with a name of several words",
      ideaText({ name: '"my idea"' }),
      /E_IDEA: .*name: expected a word without spaces, slashes and @, got "my idea"/,
    ],
    [
      "a track without parts",
      `export default ${track.replace('"lower"', '"down"').replace("outputs: 1", "outputs: 0")}`,
      /E_TRACK: .*the track ramp is not well formed: direction: expected "lower" or "higher", got string down; outputs: expected a whole number of at least 1, got number 0/,
    ],
    [
      "a model without parts",
      `export default ${model.replace('["hidden"]', '"hidden"')}`,
      /E_TRACK: .*the model nil is not well formed: places: expected a list of places such as \["hidden"\], got string hidden/,
    ],
  ])("%s", async (_what, text, message) => {
    await expect(loadPlugins(fileWith(text))).rejects.toThrow(message);
  });

  test("no such file, and a file of another kind", async () => {
    await expect(loadPlugins("nowhere.ts")).rejects.toThrow(
      /^E_PLUGIN_FILE: nowhere\.ts: there is no such file/,
    );
    await expect(loadPlugins(fileWith("x = 1", "mine.py"))).rejects.toThrow(
      /E_PLUGIN_FILE: .*expected a file that ends in \.ts/,
    );
  });
});
