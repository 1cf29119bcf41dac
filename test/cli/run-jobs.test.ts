import path from "node:path";
import { expect, test } from "vitest";
import { runJobs } from "../../src/cli/run-jobs.js";

const folders = (ideas: readonly string[], out?: string): string[] =>
  runJobs({ _: ideas, out }).map(({ folder }) => folder);

test("a report goes to its idea's folder; --out names the folder of one idea, and the parent of those of two", () => {
  const both = ["moment-rank2", "residual-pivoted"];
  expect(folders(both)).toEqual(both.map((idea) => path.join("reports", idea)));
  expect(folders(["moment-rank2"], "mine")).toEqual(["mine"]);
  expect(folders(both, "mine")).toEqual(both.map((idea) => path.join("mine", idea)));
});

test("every option reaches the plan", () => {
  const [job] = runJobs({
    _: ["moment-rank2"],
    preset: "quick",
    track: "sequence",
    model: "rnn_small",
    option: ["rank=3"],
    seeds: "4",
    train: "10",
    test: "11",
    epochs: "12",
  });
  const { plan } = job!;
  expect([plan.preset.name, plan.track.name, plan.model.name, plan.options.rank]).toEqual([
    "quick",
    "sequence",
    "rnn_small",
    3,
  ]);
  expect(plan.protocol).toMatchObject({ seeds: [0, 1, 2, 3], trainSize: 10, testSize: 11, epochs: 12 });
});
