import { afterAll, describe, expect, test } from "vitest";
import * as gradstand from "../../src/index.js";
import * as nn from "../../src/nn/index.js";
import * as stats from "../../src/stats/index.js";
import { creation } from "./creation.js";
import { layers } from "./layers.js";
import { operations } from "./operations.js";
import { fuzz, type Tally } from "./run.js";
import { statistics } from "./statistics.js";
import type { FuzzSubjects } from "./subject.js";

const packages = [
  ["gradstand", gradstand, { ...operations, ...creation }],
  ["gradstand/nn", nn, layers],
  ["gradstand/stats", stats, statistics],
] as const satisfies readonly (readonly [string, object, FuzzSubjects])[];

/** `FUZZ_CALLS=n` calls in all, `FUZZ_SEED=s`; scripts/fuzz.mjs sets both. */
const wanted = Number(process.env.FUZZ_CALLS ?? 6000);
const seed = process.env.FUZZ_SEED ?? "gradstand";
const count = packages.reduce((sum, [, , subjects]) => sum + Object.keys(subjects).length, 0);
const calls = Math.ceil(wanted / count);
const tallies: Tally[] = [];

const functionsOf = (module: object): [string, (...args: unknown[]) => unknown][] =>
  Object.entries(module).filter(([, value]) => typeof value === "function");

describe.each(packages)("%s", (name, module, subjects: FuzzSubjects) => {
  test("every public function is called", () => {
    const names = functionsOf(module).map(([key]) => key);
    expect(Object.keys(subjects).sort()).toEqual(names.sort());
  });

  test.each(Object.entries(subjects))(
    "%s returns what it promises, or refuses with a code",
    (key, subject) => {
      const f = Object.fromEntries(functionsOf(module))[key]!;
      const tally = fuzz(key, subject, f, calls, seed);
      tallies.push({ ...tally, name: `${name} ${key}` });
      expect(tally.faults.slice(0, 5)).toEqual([]);
    },
  );
});

test("a billion elements are refused, not tried", () => {
  for (const call of [
    () => gradstand.zeros([1e9]),
    () => gradstand.ones([1e5, 1e5]),
    () => gradstand.full([2 ** 31], 1),
    () => gradstand.zeros([1, 1]).expand([1e5, 1e4]),
    () => gradstand.eye(1e5),
    () => gradstand.arange(1e9),
    () => gradstand.linspace(0, 1, 1e9),
    () => gradstand.zeros([1]).pad([[1e9, 0]]),
    () => gradstand.zeros([1e5, 1]).add(gradstand.zeros([1e5])),
    () => gradstand.randomUniform(gradstand.generator(0), [1e9]),
    () => gradstand.randomPermutation(gradstand.generator(0), 1e9),
    () => new nn.Linear(1e5, 1e5, { rng: gradstand.generator(0) }),
  ])
    expect(call).toThrow(/^E_(SHAPE|VALUE)/);
});

afterAll(() => {
  if (process.env.FUZZ_CALLS === undefined) return;
  const total = (pick: (tally: Tally) => number): number =>
    tallies.reduce((sum, tally) => sum + pick(tally), 0);
  const lines = tallies.map(
    (t) =>
      `${t.name}: ${t.returned} returned, ${t.refused} refused, ${t.callers} the caller's own, ${t.faults.length} faults, slowest ${t.slowest.toFixed(1)} ms`,
  );
  process.stdout.write(
    `${lines.join("\n")}\nseed ${seed}: ${calls * count} calls of ${count} functions: ${total((t) => t.returned)} returned, ${total((t) => t.refused)} refused by code, ${total((t) => t.callers)} the caller's own error, ${total((t) => t.faults.length)} faults\n`,
  );
});
