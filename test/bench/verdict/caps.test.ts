import { describe, expect, test } from "vitest";
import { capsOf, confidenceOf, informativeness, type Conduct } from "../../../src/bench/verdict/index.js";

const sound: Conduct = {
  quick: false,
  informative: true,
  unbeatenFloors: [],
  selection: "validation",
  edges: [],
  inequalities: [],
  diverged: { baseline: 0, idea: 0 },
};
const codes = (conduct: Partial<Conduct>): string[] =>
  capsOf({ ...sound, ...conduct }).map(({ code }) => code);

describe("the caps of the strict profile", () => {
  test.each([
    [{}, []],
    [{ quick: true }, ["quick"]],
    [{ partial: { seeds: 3, planned: 16 } }, ["partial"]],
    [{ informative: false, unbeatenFloors: ["ridge 0.0137"] }, ["uninformative"]],
    [{ informative: undefined }, []],
    [{ selection: "test" }, ["test-selection"]],
    [{ selection: undefined }, ["test-selection"]],
    [{ edges: [{ arm: "idea", rate: 0.001 }] }, ["grid-edge"]],
    [{ inequalities: ["other tuning seeds"] }, ["unequal-tuning"]],
    [{ diverged: { baseline: 1, idea: 0 } }, ["diverged-one-arm"]],
    [{ diverged: { baseline: 0, idea: 3 } }, ["diverged-one-arm"]],
    [{ diverged: { baseline: 2, idea: 3 } }, []],
  ] as const)("%j", (conduct, expected) => {
    expect(codes(conduct)).toEqual(expected);
  });

  test("each says what was found", () => {
    const texts = capsOf({
      ...sound,
      informative: false,
      unbeatenFloors: ["ridge 0.0137"],
      edges: [{ arm: "baseline", rate: 0.006 }],
      diverged: { baseline: 0, idea: 3 },
    }).map(({ text }) => text);
    expect(texts).toEqual([
      "the tuned baseline does not beat every floor: ridge 0.0137",
      "the best learning rate lies at an end of the grid: baseline 0.006",
      "3 cells diverged in one arm only: idea",
    ]);
  });
});

describe("whether a run is informative", () => {
  const floors = [
    { name: "mean", mean: 0.58 },
    { name: "ridge", mean: 0.0137 },
  ];

  test("the tuned baseline must beat every floor, in the metric's direction", () => {
    expect(informativeness(0.005, floors, "lower")).toEqual({ informative: true, unbeaten: [] });
    expect(informativeness(0.05, floors, "lower")).toEqual({
      informative: false,
      unbeaten: ["ridge 0.0137000"],
    });
    expect(informativeness(0.05, floors, "higher").unbeaten).toEqual(["mean 0.580000"]);
    expect(informativeness(0.6, floors, "higher").informative).toBe(true);
  });

  test("a tie is not a win, and neither is a diverged baseline or a run without floors", () => {
    expect(informativeness(0.0137, floors, "lower").informative).toBe(false);
    expect(informativeness(NaN, floors, "lower").informative).toBe(false);
    expect(informativeness(Infinity, floors, "higher").informative).toBe(false);
    expect(informativeness(0.005, [], "lower").informative).toBe(false);
  });
});

describe("the computed confidence", () => {
  const best = { tracks: 2, seeds: 16, measuredOnTrainedModel: true, recomputes: true, caps: [] };

  test("is ten less the listed reasons", () => {
    expect(confidenceOf(best)).toEqual({ value: 10, reasons: [] });
    expect(confidenceOf({ ...best, tracks: 1 }).value).toBe(9);
    expect(confidenceOf({ ...best, seeds: 7 }).value).toBe(8);
    expect(confidenceOf({ ...best, seeds: 8 }).value).toBe(10);
    expect(confidenceOf({ ...best, measuredOnTrainedModel: false }).value).toBe(8);
    expect(confidenceOf({ ...best, recomputes: false }).value).toBe(8);
  });

  test("takes one off for each cap, says so, and does not fall below zero", () => {
    const caps = capsOf({ ...sound, selection: "test", quick: true });
    expect(confidenceOf({ ...best, caps })).toMatchObject({ value: 8 });
    expect(confidenceOf({ ...best, caps }).reasons).toEqual(caps.map(({ text }) => `-1: ${text}`));
    const worst = { tracks: 1, seeds: 2, measuredOnTrainedModel: false, recomputes: false };
    expect(confidenceOf({ ...worst, caps: [...caps, ...caps, ...caps] }).value).toBe(0);
  });
});
