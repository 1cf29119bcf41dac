import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { statisticsOf } from "../../../../src/bench/report/figures/statistics.js";
import { leavesOf, valueAt } from "../../../../src/bench/report/path.js";

interface Case {
  readonly name: string;
  readonly direction: "lower" | "higher";
  readonly baseline: readonly number[];
  readonly idea: readonly number[];
  readonly expected: {
    readonly [section: string]: object;
  } & { readonly sign_flip: number | null; readonly needed_seeds: readonly number[] };
}

/** What statistics.py, beside the file, computes with NumPy and SciPy from the same values. */
const cases = JSON.parse(
  readFileSync(new URL("../../fixtures/statistics.json", import.meta.url), "utf8"),
) as Case[];

describe.each(cases)("the statistics of $name", ({ direction, baseline, idea, expected }) => {
  const found = statisticsOf(baseline, idea, 0.05, direction);
  const { sign_flip: extreme, needed_seeds: pairs, sign_flip_interval: inverted, ...others } = expected;

  test.each(Object.keys(others))("%s", (section) => {
    for (const [path, value] of leavesOf(others[section], section)) {
      const own = valueAt(found, path);
      if (typeof value !== "number") expect([path, own]).toEqual([path, value]);
      else expect([path, Math.abs(Number(own) / value - 1) < 1e-9, own]).toEqual([path, true, own]);
    }
  });

  test("the sign-flip test and its inverted interval, by enumeration up to 20 pairs", () => {
    if (extreme === null) {
      expect(found.sign_flip).toMatchObject({ method: "monte-carlo", total: 99_999 });
      return;
    }
    const total = 2 ** baseline.length;
    expect(found.sign_flip).toEqual({ method: "exact", extreme, total, p_value: extreme / total });
    const ends = inverted as unknown as [number, number];
    found.sign_flip_interval!.forEach((end, at) => expect(end).toBeCloseTo(ends[at], 12));
  });

  test("needed_seeds, for differences of 5 and 10 %", () => {
    expect(found.needed_seeds).toEqual([
      { difference_pct: 5, pairs: pairs[0] },
      { difference_pct: 10, pairs: pairs[1] },
    ]);
  });
});
