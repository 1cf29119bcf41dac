import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { decidingFolders, fingerprintOf, packageFingerprint } from "../../../src/bench/cells/fingerprint.js";
import { cellKey } from "../../../src/bench/cells/key.js";
import type { TrainSpec } from "../../../src/bench/cells/spec.js";

const sources = fileURLToPath(new URL("../../../src", import.meta.url));

const spec: TrainSpec = {
  kind: "train",
  track: "dynamics",
  model: "rnn_small",
  arm: "idea",
  cfg: { lr: 0.003 },
  seed: 4,
  trainSize: 64,
  validationSize: 0,
  testSize: 32,
  evaluate: "test",
  epochs: 2,
  batchSize: 32,
  optimizer: "adam",
  idea: { name: "some-idea", options: { rank: 2, form: "B" } },
};

test("equal specifications have equal keys, however they were written down", () => {
  const { kind, ...rest } = structuredClone(spec);
  const shuffled: TrainSpec = { ...rest, idea: { options: { form: "B", rank: 2 }, name: "some-idea" }, kind };
  expect(cellKey(shuffled, "f")).toBe(cellKey(spec, "f"));
  expect(cellKey(spec, "f")).toMatch(/^[0-9a-f]{64}$/);
});

test("every part of the specification and the code count", () => {
  const variants: TrainSpec[] = [
    { ...spec, track: "sequence" },
    { ...spec, model: "transformer_tiny" },
    { ...spec, arm: "baseline", idea: null },
    { ...spec, cfg: { lr: 0.001 } },
    { ...spec, seed: 5 },
    { ...spec, trainSize: 65 },
    { ...spec, testSize: 33 },
    { ...spec, epochs: 3 },
    { ...spec, batchSize: 16 },
    { ...spec, idea: { name: "some-idea", options: { rank: 3, form: "B" } } },
  ];
  const keys = [
    cellKey(spec, "f"),
    cellKey(spec, "g"),
    cellKey({ kind: "measure", trained: spec }, "f"),
    ...variants.map((variant) => cellKey(variant, "f")),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test("the fingerprint sees a changed, a renamed and a new module, and nothing else", () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-"));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const write = (name: string, text: string): void => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  const seen: string[] = [];
  const look = (): number => {
    seen.push(fingerprintOf(root, ["core"]));
    return new Set(seen).size;
  };
  write("core/a.ts", "1");
  write("core/deep/b.ts", "2");
  expect(look()).toBe(1);
  write("core/notes.md", "x");
  write("core/a.d.ts", "x");
  write("other/c.ts", "x");
  expect(look()).toBe(1);
  write("core/deep/b.ts", "3");
  expect(look()).toBe(2);
  write("core/deep/c.ts", "");
  expect(look()).toBe(3);
  fs.renameSync(path.join(root, "core/a.ts"), path.join(root, "core/aa.ts"));
  expect(look()).toBe(4);
});

test("the fingerprint covers every room of the sources but those that only show results", () => {
  const showing = ["cli", "inspect", "inspect-page", "testing"];
  const rooms = fs
    .readdirSync(sources, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !showing.includes(entry.name))
    .map(({ name }) => name);
  expect([...new Set(decidingFolders.map((folder) => folder.split("/")[0]))].sort()).toEqual(rooms.sort());
});

test("the fingerprint covers every module that a cell is computed with", () => {
  const seen = new Set<string>();
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const imports = fs
      .readFileSync(file, "utf8")
      .matchAll(/^(?:import|export)(?! type\b)[^;]*? from "(\.[^"]+)\.js";/gm);
    for (const [, target] of imports) follow(path.resolve(path.dirname(file), `${target}.ts`));
  };
  for (const entry of ["train-cell", "measure-cell", "floor-values", "check-idea"]) {
    follow(path.join(sources, "bench/cells", `${entry}.ts`));
  }
  const names = [...seen].map((file) => path.relative(sources, file).split(path.sep).join("/"));
  expect(names.filter((name) => !decidingFolders.some((folder) => name.startsWith(`${folder}/`)))).toEqual(
    [],
  );
  expect(names.length).toBeGreaterThan(80);
});

test("the package has a fingerprint, the same each time", () => {
  expect(packageFingerprint()).toMatch(/^[0-9a-f]{64}$/);
  expect(packageFingerprint()).toBe(packageFingerprint());
});
