import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { workingCopy } from "../../../src/bench/run/working-copy.js";

test("what is no working copy has no commit, and a lock file has its hash", () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "gradstand-"));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  expect(workingCopy(root)).toEqual({});
  fs.writeFileSync(path.join(root, "package-lock.json"), "abc");
  const lock = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  expect(workingCopy(root)).toEqual({ lock });
  fs.mkdirSync(path.join(root, ".git"));
  expect(workingCopy(root)).toEqual({ lock });
});

test("a checkout names its commit and whether it has changes, and without git it does not fail", () => {
  const found = workingCopy();
  if (found.commit !== undefined) {
    expect(found.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(typeof found.dirty).toBe("boolean");
  }
  const before = process.env.PATH;
  onTestFinished(() => void (process.env.PATH = before));
  process.env.PATH = "";
  expect(workingCopy()).not.toHaveProperty("commit");
});
