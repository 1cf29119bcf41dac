import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
  collectGarbage,
  encodeRun,
  openStore,
  registeredRuns,
  registerRun,
  runFileName,
  runId,
  type StoredRun,
} from "../../../src/bench/store/index.js";
import { exampleCell, exampleOutcome, fingerprint, temporaryFolder } from "./example-cell.js";

let root: string;
let store: string;

beforeEach(() => {
  root = temporaryFolder();
  store = path.join(root, "cells");
});

const cellFile = (seed: number): string => path.join(store, `${exampleCell(seed).key}.json`);

/** A run of cells of these seeds, its plan in its own folder. */
function runOf(name: string, seeds: readonly number[]): StoredRun {
  const folder = path.join(root, name);
  const run: StoredRun = {
    command: `run ${name}`,
    arguments: {},
    workingFolder: root,
    folder,
    store,
    plan: { name },
    finished: false,
  };
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, runFileName), encodeRun(run));
  const cells = registerRun(run, openStore(store, { fingerprint }));
  for (const seed of seeds) {
    const cell = exampleCell(seed);
    if (cells.read(cell) === undefined) cells.write(cell, exampleOutcome());
  }
  return run;
}

/** Every file below a folder. */
const everything = (): string[] =>
  fs
    .readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();

test("a run notes each cell that it asks for, found or not, and once", () => {
  runOf("first", [1, 2]);
  const run = runOf("second", [2, 3, 3]);
  const noted = registeredRuns(store).find(({ id }) => id === runId(run))!;
  expect(noted).toMatchObject({ folder: run.folder, isPlanned: true });
  expect([...noted.keys]).toEqual([2, 3].map((seed) => exampleCell(seed).key));
});

test("a line that a killed run left half-written spoils neither the one before nor the one after", () => {
  const run = runOf("first", [1]);
  fs.appendFileSync(path.join(store, "runs", `${runId(run)}.cells`), exampleCell(2).key.slice(0, 40));
  runOf("first", [3]);
  expect([...registeredRuns(store)[0]!.keys]).toEqual([1, 3].map((seed) => exampleCell(seed).key));
});

test("what no plan refers to is removed: the cells of a run whose plan is gone, but for those that another run uses", () => {
  const gone = runOf("gone", [1, 2]);
  runOf("there", [2, 3]);
  fs.rmSync(path.join(gone.folder, runFileName));
  const before = everything();
  const planned = collectGarbage(store, { dryRun: true });
  expect(everything()).toEqual(before);
  const done = collectGarbage(store);
  expect(done).toEqual(planned);
  const entries = [".json", ".cells"].map((ending) => path.join(store, "runs", `${runId(gone)}${ending}`));
  expect(done.removed.map(({ file }) => file).sort()).toEqual([...entries, cellFile(1)].sort());
  expect(done.removed.every(({ bytes }) => bytes > 0)).toBe(true);
  expect([done.kept, done.left, done.endedRuns]).toEqual([2, [], [gone.folder]]);
  expect(everything()).toEqual(before.filter((file) => !done.removed.some((other) => other.file === file)));
  expect(collectGarbage(store)).toEqual({ removed: [], kept: 2, left: [], endedRuns: [] });
});

test("another plan in the same folder takes the place of the first", () => {
  const first = runOf("same", [1]);
  const second = { ...first, plan: { name: "other" } };
  fs.writeFileSync(path.join(first.folder, runFileName), encodeRun(second));
  registerRun(second, openStore(store, { fingerprint })).read(exampleCell(2));
  expect(
    registeredRuns(store)
      .filter(({ isPlanned }) => isPlanned)
      .map(({ id }) => id),
  ).toEqual([runId(second)]);
  expect(collectGarbage(store).removed.map(({ file }) => file)).toContain(cellFile(1));
});

test("a plan that cannot be read, and an entry that cannot, keep their cells", () => {
  const [spoilt, entry] = [runOf("spoilt", [1]), runOf("entry", [2])];
  fs.writeFileSync(path.join(spoilt.folder, runFileName), "{");
  fs.writeFileSync(path.join(store, "runs", `${runId(entry)}.json`), "{");
  expect(collectGarbage(store)).toMatchObject({ removed: [], kept: 2, endedRuns: [] });
});

test("never a file that is not its own, each of which is named with the reason", () => {
  runOf("there", [0]);
  const key = (letter: string): string => path.join(store, `${letter.repeat(64)}.json`);
  fs.writeFileSync(key("a"), '{"name": "somebody else\'s"}');
  fs.writeFileSync(key("b"), fs.readFileSync(cellFile(0), "utf8").slice(0, 100));
  fs.writeFileSync(key("c"), fs.readFileSync(cellFile(0)));
  fs.mkdirSync(key("d"));
  fs.symlinkSync(cellFile(0), key("e"));
  fs.writeFileSync(`${key("f")}.corrupt-2`, "");
  for (const name of ["notes.txt", "old.tmp", "package.json", `${"A".repeat(64)}.json`])
    fs.writeFileSync(path.join(store, name), "");
  fs.writeFileSync(path.join(store, "runs", "notes.json"), "");
  const longAgo = new Date(2000, 0);
  fs.utimesSync(path.join(store, "old.tmp"), longAgo, longAgo);
  const before = everything();
  const { removed, left } = collectGarbage(store);
  expect(removed).toEqual([]);
  expect(everything()).toEqual(before);
  expect(left).toEqual([
    { file: key("a"), why: expect.stringContaining("it is no cell of this package") },
    { file: key("b"), why: expect.stringContaining("it is not whole JSON") },
    { file: key("c"), why: expect.stringContaining("it holds another cell") },
    { file: key("d"), why: "it has the name of a cell and is no file" },
    { file: key("e"), why: "it has the name of a cell and is no file" },
    { file: `${key("f")}.corrupt-2`, why: expect.stringContaining("remove it yourself") },
  ]);
});

test("a store that notes no run keeps its cells, since nothing says who uses them", () => {
  openStore(store, { fingerprint }).write(exampleCell(), exampleOutcome());
  const { removed, left } = collectGarbage(store);
  expect(removed).toEqual([]);
  expect(left).toEqual([{ file: cellFile(0), why: "no run is noted in this store" }]);
});

test("what a killed writer left is removed, what a living one writes is not", () => {
  runOf("there", []);
  const host = os.hostname().replace(/[^A-Za-z0-9-]/g, "-");
  const dead = path.join(store, `cell.json.${host}.999999999.1.tmp`);
  for (const file of [dead, path.join(store, `cell.json.${host}.${process.pid}.1.tmp`)])
    fs.writeFileSync(file, "half");
  expect(collectGarbage(store).removed).toEqual([{ file: dead, bytes: 4 }]);
});

test("a folder that is none is E_STORE", () => {
  expect(() => collectGarbage(path.join(root, "nowhere"))).toThrow(
    /E_STORE: cannot read the store of cells .*nowhere/,
  );
});
