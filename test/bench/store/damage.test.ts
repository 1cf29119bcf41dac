import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, parseCanonicalJson } from "../../../src/bench/cells/canonical.js";
import type { Json } from "../../../src/ideas/index.js";
import { openStore, type StoreNotice } from "../../../src/bench/store/index.js";
import { exampleCell, exampleOutcome, fingerprint, temporaryFolder } from "./example-cell.js";

/** A store with one written cell, its file, and the notices that the store gave. */
function storeWithCell() {
  const folder = temporaryFolder();
  const notices: StoreNotice[] = [];
  const store = openStore(folder, { fingerprint, onNotice: (notice) => notices.push(notice) });
  const cell = exampleCell();
  store.write(cell, exampleOutcome());
  return { folder, notices, store, cell, file: path.join(folder, `${cell.key}.json`) };
}

test("a file cut off anywhere is named, moved aside and computed again", () => {
  const { store, cell, file, notices } = storeWithCell();
  const text = fs.readFileSync(file, "utf8");
  fc.assert(
    fc.property(fc.integer({ min: 0, max: text.length - 2 }), (length) => {
      fs.writeFileSync(file, text.slice(0, length));
      notices.length = 0;
      expect(store.read(cell)).toBeUndefined();
      expect(notices).toEqual([{ file, movedTo: expect.any(String), reason: expect.any(String) }]);
      expect(fs.readFileSync(notices[0].movedTo, "utf8")).toBe(text.slice(0, length));
      expect(fs.existsSync(file)).toBe(false);
      store.write(cell, exampleOutcome());
      expect(fs.readFileSync(file, "utf8")).toBe(text);
    }),
  );
});

test("one changed character anywhere is noticed", () => {
  const { store, cell, file } = storeWithCell();
  const text = fs.readFileSync(file, "utf8");
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: text.length - 2 }),
      fc.constantFrom("0", "7", "a", '"', "}"),
      (at, letter) => {
        fc.pre(text[at] !== letter);
        fs.writeFileSync(file, text.slice(0, at) + letter + text.slice(at + 1));
        expect(store.read(cell)).toBeUndefined();
        store.write(cell, exampleOutcome());
      },
    ),
  );
});

test("the reason tells what is wrong", () => {
  const { folder, store, cell, file, notices } = storeWithCell();
  const text = fs.readFileSync(file, "utf8");
  const content = parseCanonicalJson(text) as Record<string, Json>;
  const other = exampleCell(1);
  store.write(other, exampleOutcome());
  const foreign = fs.readFileSync(path.join(folder, `${other.key}.json`), "utf8");
  const cases: [string, RegExp][] = [
    ["", /not whole JSON/],
    ["[1, 2]", /no cell of this package/],
    ['{"name": "x"}', /no cell of this package/],
    [canonicalJson({ ...content, version: 9 }), /version is 9/],
    [canonicalJson({ ...content, seconds: 0 }), /checksum/],
    [foreign, /holds another cell/],
  ];
  for (const [damaged, reason] of cases) {
    fs.writeFileSync(file, damaged);
    expect(store.read(cell)).toBeUndefined();
    expect(notices.at(-1)?.reason).toMatch(reason);
  }
  expect(new Set(notices.map(({ movedTo }) => movedTo)).size).toBe(cases.length);
});

test("a folder in a cell's place is moved aside too", () => {
  const { store, cell, file, notices } = storeWithCell();
  fs.rmSync(file);
  fs.mkdirSync(file);
  expect(store.write(cell, exampleOutcome())).toStrictEqual(exampleOutcome());
  expect(fs.statSync(file).isFile()).toBe(true);
  expect(notices).toHaveLength(1);
});

test("a corrupt file that appears while the cell is computed does not keep it from being stored", () => {
  const { store, cell, file, notices } = storeWithCell();
  fs.writeFileSync(file, "half a ce");
  expect(store.write(cell, exampleOutcome())).toStrictEqual(exampleOutcome());
  expect(store.read(cell)).toStrictEqual(exampleOutcome());
  expect(notices.map(({ file: named }) => named)).toEqual([file]);
});
