import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";
import { expect, onTestFinished, test } from "vitest";
import * as bench from "../../src/bench/index.js";
import { commands } from "../../src/cli/commands/index.js";
import * as core from "../../src/index.js";
import * as nn from "../../src/nn/index.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = fs.readFileSync(`${root}README.md`, "utf8");

/** The rows of the table of what is supported: room → the names in its second column. */
const supported = new Map(
  readme
    .slice(readme.indexOf("## What is supported"))
    .split("\n")
    .filter((line) => /^\| [a-z]/.test(line) && !line.startsWith("| room"))
    .map((line) => {
      const [, room, names] = line.split("|");
      return [room!.trim(), [...names!.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)] as const;
    }),
);

const namesIn = (...rooms: string[]): string[] =>
  rooms.flatMap((room) => supported.get(room) ?? expect.fail(`the README's table has no row '${room}'`));

const tensorRooms = [
  "creation",
  "arithmetic",
  "functions",
  "selection",
  "reductions",
  "shapes",
  "indexing",
  "products",
  "normalising",
  "linear algebra",
];

/** Operations that only gradient rules use, or that stand behind an option of a public function. */
const behindTheScenes = ["unslice", "addAt", "addAlongAxis", "triangle", "geluTanh"];

test("every function that the README calls supported exists", () => {
  const isFunction = (name: string): boolean => typeof (core as Record<string, unknown>)[name] === "function";
  const methods = core.Tensor.prototype as unknown as Record<string, unknown>;
  for (const name of namesIn(...tensorRooms, "derivatives")) {
    if (name.startsWith("E_")) continue;
    expect(isFunction(name) || typeof methods[name] === "function", name).toBe(true);
  }
  for (const name of namesIn("layers", "training"))
    expect(typeof (nn as Record<string, unknown>)[name], name).toBe("function");
});

test("every operation with or without a gradient rule stands in the README's table", () => {
  const named = new Set(namesIn(...tensorRooms));
  const missing = Object.keys(core.rules).filter(
    (name) => !named.has(name) && !behindTheScenes.includes(name),
  );
  expect(missing).toEqual([]);
});

test("the README names every idea, track, model, preset and bench command, and no other", () => {
  expect(namesIn("ideas").sort()).toEqual([...bench.ideas.keys()].sort());
  const benchCommands = [...commands.values()].flatMap(({ path }) => (path[0] === "bench" ? [path[1]!] : []));
  const all = [...bench.tracks.keys(), ...bench.models.keys(), ...bench.presets.keys(), ...benchCommands];
  expect(namesIn("bench").sort()).toEqual(all.sort());
});

/** The JavaScript of the README, each block as a program: what it prints, line by line. */
const programs = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]!);
const printed = (code: string): string[] => {
  const run = spawnSync(process.execPath, ["--input-type=module", "-"], {
    input: code,
    cwd: root,
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  return run.stdout.trim().split("\n");
};

test("the README's first gradient prints what its comments say", () => {
  const code = programs[0]!;
  const promised = [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map((match) => match[1]!.trim());
  expect(promised.length).toBe(2);
  expect(printed(code)).toEqual(promised);
});

test("the README's first gradient works in a bundle, where what nobody names is left out", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-bundle-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const entry = path.join(folder, "program.js");
  fs.writeFileSync(entry, programs[0]!.replace('"gradstand"', JSON.stringify(`${root}dist/index.js`)));
  const built = (await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, target: "es2023", lib: { entry, formats: ["es"] } },
  })) as Rollup.RollupOutput[];
  expect(printed(built[0]!.output[0].code)).toEqual(printed(programs[0]!));
});

test("the README's first training lowers the loss", () => {
  const losses = printed(programs[1]!).map(Number);
  expect(losses.length).toBe(5);
  losses.forEach((loss, i) => expect(loss).toBeLessThan(losses[i - 1] ?? Infinity));
});

test("the README's first test of a layer passes in a folder that has gradstand, vitest and fast-check", () => {
  const [, , test, ...others] = programs;
  expect(others).toEqual([]);
  expect(fs.readFileSync(`${root}docs/testing.md`, "utf8")).toContain(test);
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-readme-")));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(path.join(folder, "node_modules"));
  fs.symlinkSync(root, path.join(folder, "node_modules/gradstand"));
  for (const name of ["vitest", "fast-check"])
    fs.symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name));
  fs.writeFileSync(path.join(folder, "gate.test.js"), test!);
  const run = spawnSync(process.execPath, [path.join(root, "node_modules/vitest/vitest.mjs"), "run"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  expect(run.stderr).toBe("");
  expect(run.stdout).toMatch(/Tests +1 passed \(1\)/);
});

test("every public function of the core stands in the README's table, or is named here", () => {
  const elsewhere = ["asTensor", "generator", "isRecording", "mapTree"];
  const all = new Set([...supported.values()].flat());
  const functions = Object.entries(core)
    .filter(([, value]) => typeof value === "function" && !/^\s*class\b/.test(String(value)))
    .map(([name]) => name);
  expect(functions.filter((name) => !all.has(name) && !elsewhere.includes(name))).toEqual([]);
});
