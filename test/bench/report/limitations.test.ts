import { expect, test } from "vitest";
import { buildReport } from "../../../src/bench/report/index.js";
import { firstValues, sampleRun, type SampleSettings } from "./sample-run.js";

const limitations = (settings: SampleSettings): string[] =>
  buildReport(sampleRun(settings)).limitations.split(/(?<=\.) /);

const tried =
  "Only the track dynamics was tried, with 400 training series and 400 test series a seed and 8 epochs.";
const learned = "Beating the floors says that the baseline learned something, not that it is a strong one.";
const proof =
  "With 8 pairs a difference of 48.1 % of the baseline is found four times in five; the mde is found about half of the time.";
const flattered = "The learning rate was chosen on the test metric, which flatters both arms.";
const cost = "Memory was not measured; wall time depends on the machine and on what else ran there.";

test("a sound run names its one track, its size, what it can find and what was not measured", () => {
  expect(limitations({ selection: "validation" })).toEqual([tried, learned, proof, cost]);
});

test("what was done less well is named in its place", () => {
  expect(
    limitations({
      best: 2,
      floor: firstValues.map((value) => value / 3),
      tuningSeeds: { baseline: [0, 1, 2, 3], idea: [0, 1, 2, 3, 4, 5, 6, 7] },
    }),
  ).toEqual([
    tried,
    "At this size the network is no better than a predictor without one, so 400 training series prove nothing about the idea, whichever arm is ahead.",
    proof,
    flattered,
    "The arms were tuned unequally: the baseline's configurations were ranked on 4 seeds, the idea's on 8.",
    "A best learning rate lies at an end of the grid, so a better one may lie outside.",
    cost,
  ]);
});

test("nothing is said of what can be found when the arms cannot be compared", () => {
  expect(limitations({ idea: firstValues.map(() => Infinity) })).toEqual([tried, learned, flattered, cost]);
});
