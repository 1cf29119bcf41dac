import { describe, expect, it } from "vitest";
import { runTrainingCell } from "../../../src/bench/cells/train-cell.js";
import type { TrainSpec } from "../../../src/bench/cells/spec.js";
import {
  armNumbers,
  compressionArms,
  settingsOf,
  type CompressionArmName,
} from "../../../src/bench/study/cells/compression-arms.js";
import {
  compressionQuality,
  trainingOf,
  type HiddenCompressionFigures,
  type HiddenCompressionPoint,
} from "../../../src/bench/study/cells/hidden-compression.js";
import { hiddenCompression } from "../../../src/bench/study/hidden-compression.js";
import { builtInIdeas } from "../../../src/ideas/index.js";
import { completeSettings } from "../../../src/ideas/moment-rank2/settings.js";

const arms = Object.keys(compressionArms) as CompressionArmName[];
const points = hiddenCompression.points!(hiddenCompression.grid);
const point = (arm: CompressionArmName, rank: number): HiddenCompressionPoint => ({
  figures: "quality",
  arm,
  rank,
  seed: 3,
});

describe("the grid of hidden-compression", () => {
  it("has each arm at the ranks at which it is smaller than a state, the baseline once, and one time of each", () => {
    const ranksOf = (arm: CompressionArmName, figures: string): number[] =>
      points
        .filter((each) => each.arm === arm && each.figures === figures && each.seed === 0)
        .map(({ rank }) => rank);
    expect(ranksOf("baseline", "quality")).toEqual([0]);
    expect(ranksOf("form-B", "quality")).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(ranksOf("tensor-4x4x4", "time")).toEqual([1, 2, 3]);
    expect(ranksOf("smaller-gru", "quality")).toEqual([1, 2, 3]);
    expect(new Set(points.filter(({ figures }) => figures === "time").map(({ seed }) => seed))).toEqual(
      new Set([0]),
    );
    expect(hiddenCompression.measures!(points.find(({ figures }) => figures === "time")!)).toBe(true);
    expect(hiddenCompression.measures!(points[0]!)).toBe(false);
  });

  it("asks for settings that the idea takes, and trains one model for a point of quality, none for a time", () => {
    for (const each of points) {
      const settings = settingsOf(each.arm, each.rank);
      if (settings) expect(completeSettings(settings)).toEqual(settings);
      const trained = hiddenCompression.models!(each);
      expect(trained).toHaveLength(each.figures === "quality" ? 1 : 0);
      expect(new Set(trained.map(({ evaluate, track }) => `${evaluate} ${track}`)).size).toBe(trained.length);
    }
    expect(trainingOf(point("baseline", 0))).toMatchObject({ idea: null, arm: "baseline", seed: 3 });
    expect(trainingOf(point("truncation", 2))).toMatchObject({
      arm: "control:truncation-alone",
      idea: { name: "moment-rank2", control: "truncation-alone" },
    });
  });

  it("tells the numbers of each state", () => {
    const numbers = arms.map((arm) => [arm, armNumbers(arm, Math.min(2, arm === "baseline" ? 0 : 2))]);
    expect(Object.fromEntries(numbers)).toEqual({
      baseline: 64,
      ...{ "form-B": 36, "form-A": 36, truncation: 32, power: 34, bottleneck: 36, "smaller-gru": 36 },
      // Three leaves of 8, a transfer tensor of 8 and five moments; four transfer tensors of 8 and seven moments.
      ...{ "tensor-4x4x4": 37, "tensor-2x2x2x2x2x2": 39 },
    });
  });
});

/** A model trained for one epoch on a few series, and its figures. */
function figuresOf(arm: CompressionArmName, rank: number): HiddenCompressionFigures {
  const spec: TrainSpec = { ...trainingOf(point(arm, rank)), trainSize: 64, testSize: 4, epochs: 1 };
  const { result } = runTrainingCell(spec, builtInIdeas);
  const figures = compressionQuality(point(arm, rank), { spec, weights: result.weights });
  expect(figures.error).toBe(result.metric);
  expect(figures.mass).toBe(result.further!["mass drift"]);
  expect(figures.parameters).toBe(result.parameters);
  return figures;
}

describe("a cell of hidden-compression", () => {
  it("gives what the training cell gave, and what the states and gradients say", () => {
    const figures = figuresOf("form-B", 2);
    expect(figures).toMatchObject({ numbers: 36, seconds: null });
    expect(figures.change).toBeGreaterThan(0.05);
    expect(figures.change).toBeLessThan(1);
    expect(figures.gap).toBeGreaterThan(0);
    expect(figures.gap).toBeLessThan(1);
    expect(figures.smallGaps).toBeLessThan(1);
    expect(figures.greatestGradient).toBeGreaterThanOrEqual(figures.gradient!);
    expect(figures.gradient).toBeGreaterThan(0);
  });

  it("says nothing of a change or of gaps where there are none", () => {
    expect(figuresOf("smaller-gru", 1)).toMatchObject({
      numbers: 20,
      change: null,
      gap: null,
      smallGaps: null,
    });
  });
});

describe("what hidden-compression says", () => {
  const cell = (arm: CompressionArmName, rank: number, error: number, seconds: number | null = null) => ({
    point: { ...point(arm, rank), figures: seconds === null ? ("quality" as const) : ("time" as const) },
    figures: {
      ...{
        numbers: armNumbers(arm, rank),
        error,
        mass: error,
        momentum1: 1,
        momentum2: 1,
        energy: 2 * error,
      },
      ...{
        change: 0.3,
        gradient: 1,
        greatestGradient: 5,
        gap: 0.4,
        smallGaps: 0.25,
        parameters: 1,
        flops: 9,
      },
      ...(seconds === null ? {} : { error: null, mass: null, energy: null, smallGaps: null }),
      seconds,
    },
  });
  const cells = [
    ...[
      cell("baseline", 0, 0.1),
      cell("baseline", 0, 0.12),
      cell("form-B", 2, 0.2),
      cell("truncation", 2, 0.3),
    ],
    ...[cell("smaller-gru", 2, 0.15), cell("baseline", 0, 0, 0.004), cell("form-B", 2, 0, 0.01)],
  ];

  it("is the means over the seeds in a table, a row for each arm and rank, and a line for each arm in a plot", () => {
    const { tables, plots } = hiddenCompression.present(cells);
    const [quality] = tables;
    expect(quality!.rows[0]!.slice(0, 5)).toEqual(["GRU, no compression", 64, 0.11, 0.1, 0.12]);
    expect(quality!.rows[1]!.at(-1)).toBe(10);
    expect(quality!.rows).toHaveLength(4);
    expect(plots.find(({ id }) => id === "error")!.series.map(({ name, points: at }) => [name, at])).toEqual([
      ["GRU, no compression", [[64, 0.11]]],
      ["form B, 8×8", [[36, 0.2]]],
      ["T_r alone, 8×8", [[32, 0.3]]],
      ["smaller GRU", [[36, 0.15]]],
    ]);
    expect(new Set(plots.map(({ id }) => id)).size).toBe(plots.length);
  });

  it("finds what is not better first, with its numbers, whatever cells there are", () => {
    const text = hiddenCompression.present(cells).findings.join("\n");
    expect(text).toMatch(/36 numbers or fewer no truncation beats a GRU of 36 units, error 0\.150/);
    expect(text).toMatch(/No compression has less of the test error than the GRU without one, 0\.110/);
    expect(text).toMatch(/less error than T_r alone at 2 of the ranks 2, and less drift of mass at 2/);
    expect(text).toMatch(/25\.0 to 25\.0 %/);
    expect(text).toMatch(/One seed and one learning rate/);
    expect(text).toMatch(/2\.50 to 2\.50 times/);
    const better = [cell("baseline", 0, 0.1), cell("form-B", 2, 0.05), cell("smaller-gru", 2, 0.15)];
    const found = hiddenCompression.present(better).findings.join("\n");
    expect(found).toMatch(/the best truncation beats a GRU of 36/);
    expect(found).toMatch(/form B, 8×8, r = 2, 0\.0500 .* has the least of the test error/);
    expect(() => hiddenCompression.present([])).not.toThrow();
  });
});
