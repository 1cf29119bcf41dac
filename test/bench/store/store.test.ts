import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore, openStore, type CellStore } from "../../../src/bench/store/index.js";
import { exampleCell, exampleOutcome, fingerprint, temporaryFolder } from "./example-cell.js";

const stores: [string, () => CellStore][] = [
  ["folder", () => openStore(temporaryFolder(), { fingerprint })],
  ["memory", memoryStore],
];

describe.each(stores)("%s store", (_name, open) => {
  test("gives back what was written, to the bit", () => {
    const store = open();
    const [cell, other] = [exampleCell(0), exampleCell(1)];
    expect(store.read(cell)).toBeUndefined();
    expect(store.write(cell, exampleOutcome())).toStrictEqual(exampleOutcome());
    expect(store.read(cell)).toStrictEqual(exampleOutcome());
    expect(store.read(other)).toBeUndefined();
  });

  test("the first writer wins: the same result with another time is no conflict", () => {
    const store = open();
    const cell = exampleCell();
    store.write(cell, exampleOutcome(0.1, 1));
    expect(store.write(cell, exampleOutcome(0.1, 2)).seconds).toBe(1);
    expect(store.read(cell)?.seconds).toBe(1);
  });

  test("a second result that differs in one bit is an error, and the first stays", () => {
    const store = open();
    const cell = exampleCell();
    store.write(cell, exampleOutcome(0.1));
    const next = 0.1 + 2 ** -56;
    expect(next).not.toBe(0.1);
    expect(() => store.write(cell, exampleOutcome(next))).toThrow(
      /E_NONDETERMINISM.*baseline lr=0.003 seed=0.*result.metric was 0.1 and is 0.10000000000000002/,
    );
    expect(store.read(cell)).toStrictEqual(exampleOutcome(0.1));
  });

  test("0 and −0 are different results", () => {
    const store = open();
    const cell = exampleCell();
    store.write(cell, exampleOutcome(0));
    expect(() => store.write(cell, exampleOutcome(-0))).toThrow(/E_NONDETERMINISM/);
  });
});

test("a folder is made with its parents, holds one file a cell, and outlives the process that made it", () => {
  const folder = path.join(temporaryFolder(), "a", "b");
  const cell = exampleCell();
  openStore(folder, { fingerprint }).write(cell, exampleOutcome());
  expect(fs.readdirSync(folder)).toEqual([`${cell.key}.json`]);
  expect(openStore(folder, { fingerprint }).read(cell)).toStrictEqual(exampleOutcome());
});
