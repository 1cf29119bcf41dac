import { expect, test } from "vitest";
import type { Bench } from "../../../src/bench/calibrate/arms.js";
import { effectRows, identicalArms } from "../../../src/bench/calibrate/effect-rows.js";
import { errorRateRows, ratesOf } from "../../../src/bench/calibrate/error-rate-rows.js";
import { calibrationIdeas } from "../../../src/bench/calibrate/ideas.js";
import { mechanismRows } from "../../../src/bench/calibrate/mechanism-rows.js";
import { inlineExecutor } from "../../../src/bench/executors/index.js";
import { calibrate } from "../../../src/bench/index.js";
import { verdictOfArms } from "../../../src/bench/calibrate/verdict-of-arms.js";
import { falsePositiveRate, firstSeed, plantedShifts } from "../../../src/bench/calibrate/protocol.js";
import { binomialRange } from "../../../src/stats/index.js";
import { generator } from "../../../src/random/index.js";

/** The questions whose cells are few and small; `bench calibrate` asks all of them. */
test("the quick part of the calibration, by cells of this thread, answers as it must", async () => {
  let cells = 0;
  const executor = inlineExecutor(calibrationIdeas);
  const bench: Bench = { executor, onCell: () => cells++ };
  const rows = [
    await identicalArms(bench),
    ...(await errorRateRows(bench, 1)),
    await effectRows[0]!(bench),
    await mechanismRows[0]!(bench),
    await mechanismRows[1]!(bench),
  ];
  await executor.close();
  expect(rows.filter((row) => !row.passed).map(({ name, found }) => `${name}: ${found}`)).toEqual([]);
  expect(rows).toHaveLength(8);
  expect(rows[0]!.figures).toMatchObject({ differences: new Array(8).fill(0), p_value: 1 });
  expect(rows[1]!.figures).toMatchObject({ runs: 1, rate: falsePositiveRate });
  expect(cells).toBe(3 * 16 + 2 * 4);
});

test("200 runs accept 3 to 18 false positives, and of the planted shifts what binomial chance leaves", () => {
  expect(binomialRange(200, falsePositiveRate, 0.99)).toEqual([3, 18]);
  const ranges = plantedShifts.map(({ power }) => binomialRange(200, power, 0.999));
  expect(ranges).toEqual([
    [107, 152],
    [176, 197],
    [195, 200],
  ]);
});

test("of normal differences every rate is as it must be; of differences with an effect, or with none to find, it is not", () => {
  const rng = generator("rates");
  const differences = rng.normals(8 * 200, 0, 3);
  const passed = (values: Float64Array): boolean[] => ratesOf(values).map((row) => row.passed);
  expect(passed(differences)).toEqual([true, true, true, true]);
  expect(passed(differences.map((difference) => difference + 2))[0]).toBe(false);
  const rare = differences.map((_, at) => (at % 100 === 0 ? 500 : 1) * differences[at]!);
  expect(passed(rare)[1]).toBe(false);
});

test("a calibration whose answer is wrong is not passed: the same arms are no effect, turned ones harm and help", () => {
  const baseline = Array.from({ length: 8 }, (_, seed) => 1 + seed / 50);
  const better = baseline.map((value, seed) => value * (0.6 + seed / 99));
  expect(verdictOfArms(baseline, baseline)).toMatchObject({ verdict: "no_effect", pValue: 1 });
  expect(verdictOfArms(baseline, better).verdict).toBe("worked");
  expect(verdictOfArms(better, baseline).verdict).toBe("harmful");
  expect(verdictOfArms(baseline, [Infinity, ...better.slice(1)]).verdict).toBe("inconclusive");
});

test("no two rows share a seed", () => {
  const starts = Object.values(firstSeed).toSorted((a, b) => a - b);
  expect(starts.every((start, at) => at === 0 || start - starts[at - 1]! >= 2 * 8 * 200)).toBe(true);
});

test("a calibration that is stopped says so", async () => {
  const stopped = calibrate({ runs: 2, executor: "inline", signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow("E_INTERRUPTED");
});
