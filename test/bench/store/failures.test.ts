import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openStore } from "../../../src/bench/store/index.js";
import { exampleCell, exampleOutcome, fingerprint, temporaryFolder } from "./example-cell.js";

afterEach(() => void vi.restoreAllMocks());

/** What a system call throws. */
function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made up for the test`), { code });
}

test("a file where the folder should be", () => {
  const file = path.join(temporaryFolder(), "taken");
  fs.writeFileSync(file, "");
  for (const folder of [file, path.join(file, "cells")]) {
    expect(() => openStore(folder)).toThrow(
      /E_STORE: cannot use as the store of cells .*taken.*: a file stands where/,
    );
  }
});

test("a folder that refuses to be written is noticed before anything is computed", () => {
  const folder = temporaryFolder();
  vi.spyOn(fs, "writeFileSync").mockImplementation(() => {
    throw systemError("EACCES");
  });
  expect(() => openStore(folder)).toThrow(/E_STORE.*permission was denied.*EACCES/);
});

describe.each(["writeFileSync", "fsyncSync", "linkSync"] as const)("a full disk in %s", (call) => {
  test("is E_STORE, and leaves nothing behind", () => {
    const folder = temporaryFolder();
    const store = openStore(folder, { fingerprint });
    vi.spyOn(fs, call).mockImplementation(() => {
      throw systemError("ENOSPC");
    });
    expect(() => store.write(exampleCell(), exampleOutcome())).toThrow(
      /E_STORE: cannot write .*the disk is full/,
    );
    vi.restoreAllMocks();
    expect(fs.readdirSync(folder)).toEqual([]);
    store.write(exampleCell(), exampleOutcome());
    expect(store.read(exampleCell())).toStrictEqual(exampleOutcome());
  });
});

test("a file system that is really full", (context) => {
  const device = "/dev/full";
  if (!fs.existsSync(device)) context.skip();
  const folder = temporaryFolder();
  const store = openStore(folder, { fingerprint });
  const open = fs.openSync.bind(fs);
  vi.spyOn(fs, "openSync").mockImplementation((file, flags) =>
    String(file).endsWith(".tmp") ? open(device, "w") : open(file, flags),
  );
  expect(() => store.write(exampleCell(), exampleOutcome())).toThrow(/E_STORE.*the disk is full.*ENOSPC/);
  vi.restoreAllMocks();
  expect(fs.readdirSync(folder)).toEqual([]);
});

describe.each(["EPERM", "ENOTSUP", "ENOSYS", "EXDEV", "EMLINK"])("where hard links fail with %s", (code) => {
  test("the cell is created exclusively: first writer wins, nothing temporary stays", () => {
    const folder = temporaryFolder();
    const store = openStore(folder, { fingerprint });
    const cell = exampleCell();
    vi.spyOn(fs, "linkSync").mockImplementation(() => {
      throw systemError(code);
    });
    store.write(cell, exampleOutcome(0.1));
    expect(() => store.write(cell, exampleOutcome(0.2))).toThrow(/E_NONDETERMINISM/);
    expect(store.read(cell)).toStrictEqual(exampleOutcome(0.1));
    expect(fs.readdirSync(folder)).toEqual([`${cell.key}.json`]);
  });

  test("a full disk leaves no half-written cell", () => {
    const folder = temporaryFolder();
    const store = openStore(folder, { fingerprint });
    vi.spyOn(fs, "linkSync").mockImplementation(() => {
      throw systemError(code);
    });
    const write = fs.writeFileSync.bind(fs);
    let calls = 0;
    vi.spyOn(fs, "writeFileSync").mockImplementation((file, data) => {
      calls += 1;
      if (calls === 1) return write(file, data);
      write(file, String(data).slice(0, 10));
      throw systemError("ENOSPC");
    });
    expect(() => store.write(exampleCell(), exampleOutcome())).toThrow(/E_STORE.*the disk is full/);
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

test("an unreadable cell is E_STORE, not a missing one", () => {
  const store = openStore(temporaryFolder(), { fingerprint });
  store.write(exampleCell(), exampleOutcome());
  vi.spyOn(fs, "readFileSync").mockImplementation(() => {
    throw systemError("EIO");
  });
  expect(() => store.read(exampleCell())).toThrow(/E_STORE: cannot read .*EIO/);
});

test("what a killed writer left is removed, what a living one writes is not", () => {
  const folder = temporaryFolder();
  const host = os.hostname().replace(/[^A-Za-z0-9-]/g, "-");
  const names = {
    dead: `cell.json.${host}.999999999.1.tmp`,
    living: `cell.json.${host}.${process.pid}.1.tmp`,
    elsewhere: "cell.json.elsewhere.1.1.tmp",
    old: "cell.json.elsewhere.1.2.tmp",
    other: "notes.txt",
    mine: "notes.tmp",
  };
  for (const name of Object.values(names)) fs.writeFileSync(path.join(folder, name), "");
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  for (const name of [names.old, names.mine, names.living])
    fs.utimesSync(path.join(folder, name), longAgo, longAgo);
  openStore(folder);
  expect(fs.readdirSync(folder).sort()).toEqual(
    [names.elsewhere, names.living, names.other, names.mine].sort(),
  );
});

test("a wall clock that runs years ahead of the disk's does not make a file of another machine old", () => {
  const folder = temporaryFolder();
  fs.writeFileSync(path.join(folder, "cell.json.elsewhere.1.1.tmp"), "");
  vi.spyOn(Date, "now").mockReturnValue(Date.UTC(2100, 0));
  openStore(folder);
  expect(fs.readdirSync(folder)).toEqual(["cell.json.elsewhere.1.1.tmp"]);
});

test("a cell whose temporary file was removed by somebody else is written again, once", () => {
  const folder = temporaryFolder();
  const store = openStore(folder, { fingerprint });
  const link = fs.linkSync.bind(fs);
  let removals = 1;
  vi.spyOn(fs, "linkSync").mockImplementation((temporary, file) => {
    if (removals-- > 0) fs.rmSync(temporary);
    link(temporary, file);
  });
  expect(store.write(exampleCell(), exampleOutcome())).toStrictEqual(exampleOutcome());
  expect(store.read(exampleCell())).toStrictEqual(exampleOutcome());
  removals = 2;
  expect(() => store.write(exampleCell(1), exampleOutcome())).toThrow(/E_STORE: cannot write .*ENOENT/);
});
