import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeRun, encodeRun, runId, type StoredRun } from "../../../src/bench/store/index.js";

const run: StoredRun = {
  command: "npx gradstand bench run moment-rank2 --preset quick",
  arguments: { _: ["moment-rank2"], preset: "quick" },
  workingFolder: "/home/someone",
  folder: "/home/someone/reports/moment-rank2",
  store: "/home/someone/.gradstand/cells",
  plan: { idea: "moment-rank2", protocol: { grid: [{ lr: 0.001 }], seeds: [0, 1] } },
  finished: false,
};

test("a run's file gives back what was written, and what is undefined is left out", () => {
  expect(decodeRun(encodeRun(run), "f")).toStrictEqual(run);
  const withNothing = { ...run, arguments: { ...run.arguments, json: undefined as unknown as null } };
  expect(decodeRun(encodeRun(withNothing), "f")).toStrictEqual(run);
});

test("one changed character anywhere, and a cut anywhere, is noticed", () => {
  const text = encodeRun(run);
  const white = /\s/;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: text.length - 2 }),
      fc.constantFrom("0", "x", '"', "}", "\u0000"),
      (at, letter) => {
        fc.pre(text[at] !== letter && !white.test(text[at]!));
        const changed = text.slice(0, at) + letter + text.slice(at + 1);
        expect(() => decodeRun(changed, "f")).toThrow(/E_STORE: f cannot be used as the plan of a run: it/);
        expect(() => decodeRun(text.slice(0, at), "f")).toThrow(/it is not whole JSON; start the run again/);
      },
    ),
  );
});

test.each([
  ["null", "it is no run of this package"],
  ["[1]", "it is no run of this package"],
  ['{"format": "other"}', "it is no run of this package"],
  ['{"format": "gradstand-run", "version": 7}', "its version is 7, and this package reads version 1"],
])("%s is refused: %s", (text, why) => {
  expect(() => decodeRun(text, "f")).toThrow(why);
});

test("a run is named by its plan and its folders, not by how far it is", () => {
  expect(runId({ ...run, finished: true, command: "another" })).toBe(runId(run));
  const others = [
    { ...run, plan: { ...run.plan, idea: "other" } },
    { ...run, folder: "/elsewhere" },
    { ...run, store: "/elsewhere" },
  ];
  expect(new Set([run, ...others].map(runId)).size).toBe(4);
});
