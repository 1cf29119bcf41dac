import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { resolveSettings } from "../../../src/cli/settings/index.js";
import { emptyFolder } from "../command.js";

const options = {
  seeds: { type: "string" },
  "tuning-seeds": { type: "string" },
  grid: { type: "string" },
  option: { type: "string" },
  track: { type: "string" },
  controls: { type: "boolean" },
} as const;

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = emptyFolder();
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

const json = (settings: object) => ({ "gradstand.config.json": JSON.stringify(settings) });
const resolve = (
  flags: Record<string, unknown>,
  environment: Record<string, string> = {},
  files: Readonly<Record<string, string>> = {},
) => resolveSettings({ _: ["an-idea"], ...flags }, options, folderWith(files), environment);

describe("flags over environment over file", () => {
  test("each setting comes from the first place that gives it, and says from where", async () => {
    const { args, sources } = await resolve(
      { seeds: "6" },
      { GRADSTAND_SEEDS: "7", GRADSTAND_TUNING_SEEDS: "2", PATH: "/bin" },
      json({ seeds: 8, "tuning-seeds": 3, controls: true }),
    );
    expect(args).toEqual({ _: ["an-idea"], seeds: "6", "tuning-seeds": "2", controls: true });
    expect(sources).toEqual([
      { name: "seeds", value: "6", from: "--seeds" },
      { name: "tuning-seeds", value: "2", from: "GRADSTAND_TUNING_SEEDS" },
      { name: "controls", value: "true", from: "gradstand.config.json" },
    ]);
  });

  test("without any of them nothing is set", async () => {
    expect(await resolve({}, { GRADSTAND_SEEDS: "", GRADSTAND_KERNELS: "reference" })).toEqual({
      args: { _: ["an-idea"] },
      sources: [],
    });
  });

  test("of grid and option each name is settled by itself", async () => {
    const { args } = await resolve(
      { option: ["rank=3"], grid: "lr=0.1,0.2" },
      { GRADSTAND_OPTION: "form=A; rank=2", GRADSTAND_GRID: "rank=2,4" },
      json({ option: { rank: 1, weight: 0.5 }, grid: { lr: [0.5], width: [1, 2] } }),
    );
    expect(args.option).toEqual(["rank=3", "form=A", "weight=0.5"]);
    expect(args.grid).toEqual(["lr=0.1,0.2", "rank=2,4", "width=1,2"]);
  });

  test("a list of words is a flag given several times", async () => {
    expect((await resolve({}, {}, json({ track: ["field", "recall"] }))).args.track).toEqual([
      "field",
      "recall",
    ]);
  });
});

test("a TypeScript and a JavaScript file give their default export", async () => {
  const typed = { "gradstand.config.ts": "const seeds: number = 9;\nexport default { seeds } as const;\n" };
  expect((await resolve({}, {}, typed)).sources).toEqual([
    { name: "seeds", value: "9", from: "gradstand.config.ts" },
  ]);
  const plain = { "gradstand.config.js": "export default { controls: false };\n" };
  expect((await resolve({}, {}, plain)).args).toMatchObject({ controls: false });
});

test.each<[string, Record<string, string>, Readonly<Record<string, string>>, RegExp]>([
  [
    "an unknown variable",
    { GRADSTAND_SEDES: "3" },
    {},
    /E_USAGE: .*GRADSTAND_SEDES.*did you mean 'GRADSTAND_SEEDS'\?/,
  ],
  [
    "an unknown key",
    {},
    json({ sedes: 3 }),
    /gradstand\.config\.json: there is no setting 'sedes'; did you mean 'seeds'\?/,
  ],
  ["no JSON", {}, { "gradstand.config.json": "{" }, /E_USAGE: gradstand\.config\.json cannot be used: /],
  ["no object", {}, json([1]), /gradstand\.config\.json: expected an object, such as/],
  [
    "no default export",
    {},
    { "gradstand.config.js": "export const seeds = 3;\n" },
    /expected an object as the default export/,
  ],
  [
    "a file that throws",
    {},
    { "gradstand.config.js": "throw new Error('not today');\n" },
    /gradstand\.config\.js: it cannot be imported \(line 1\): Error: not today/,
  ],
  [
    "a value of another kind",
    {},
    json({ seeds: { a: 1 } }),
    /gradstand\.config\.json: seeds: expected a number.*found \{"a":1\}/,
  ],
  ["a list within a list", {}, json({ grid: { lr: [[1]] } }), /grid: expected a number/],
  [
    "neither true nor false",
    { GRADSTAND_CONTROLS: "perhaps" },
    {},
    /GRADSTAND_CONTROLS: expected true or false, got "perhaps"/,
  ],
  [
    "two files",
    {},
    { ...json({}), "gradstand.config.js": "export default {};\n" },
    /gradstand\.config\.js and gradstand\.config\.json/,
  ],
])("%s is refused", async (_, environment, files, message) => {
  await expect(resolve({}, environment, files)).rejects.toThrow(message);
});
