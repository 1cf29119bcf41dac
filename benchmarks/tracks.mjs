/**
 * Trains the baseline of each track at the sizes of the preset standard and prints it beside the track's strongest floor: the
 * metric of each seed on the test part, how many times farther from the optimum (error 0, accuracy 1) the floor is, and the
 * processor time of a cell. The table of docs/tracks.md is made of it. Build first, then, for some minutes:
 * node benchmarks/tracks.mjs [--track recall] [--rates 0.003,0.01] [--seeds 4] [--idea residual-pivoted]
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { ideas, presets, runTrainingCell, tracks } from "../dist/bench/index.js";

const { values: options } = parseArgs({
  options: {
    track: { type: "string" },
    rates: { type: "string" },
    seeds: { type: "string", default: "4" },
    idea: { type: "string" },
  },
});
const { tracks: protocols, batchSize, optimizer } = presets.get("standard");
const idea = options.idea === undefined ? null : ideas.get(options.idea);
const seeds = Array.from({ length: Number(options.seeds) }, (_, seed) => seed);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const shown = (value) => String(Number(value.toPrecision(4)));

function measured(track, lr, seed) {
  const { trainSize, testSize, epochs } = protocols[track.name];
  const begin = process.cpuUsage();
  const { result } = runTrainingCell(
    {
      kind: "train",
      track: track.name,
      model: idea?.model ?? track.defaultModel,
      arm: idea ? "idea" : "baseline",
      cfg: { lr },
      seed,
      trainSize,
      validationSize: 0,
      testSize,
      evaluate: "test",
      epochs,
      batchSize,
      optimizer,
      idea: idea && { name: idea.name, options: idea.options },
    },
    ideas,
  );
  const { user, system } = process.cpuUsage(begin);
  return { metric: result.metric, seconds: (user + system) / 1e6 };
}

/** The floor with the best mean over the seeds. */
function strongestFloor(track) {
  const { trainSize, testSize } = protocols[track.name];
  const floors = seeds.map((seed) => track.floors(track.make(seed, { train: trainSize, test: testSize })));
  const means = floors[0].map(({ name }, at) => ({ name, value: mean(floors.map((one) => one[at].value)) }));
  const sign = track.direction === "lower" ? 1 : -1;
  return means.reduce((best, floor) => (sign * floor.value < sign * best.value ? floor : best));
}

const row = (cells) => process.stdout.write(`| ${cells.join(" | ")} |\n`);
const columns = ["track", "lr", "mean", "each seed", "strongest floor", "times farther", "seconds a cell"];
row(columns);
row(columns.map(() => "---"));
for (const track of tracks.values()) {
  if (options.track !== undefined && track.name !== options.track) continue;
  const floor = strongestFloor(track);
  const distance = (value) => (track.direction === "lower" ? value : 1 - value);
  for (const lr of options.rates?.split(",").map(Number) ?? protocols[track.name].rates) {
    const cells = seeds.map((seed) => measured(track, lr, seed));
    const metrics = cells.map(({ metric }) => metric);
    row([
      `\`${track.name}\``,
      lr,
      shown(mean(metrics)),
      metrics.map(shown).join(", "),
      `${floor.name} ${shown(floor.value)}`,
      shown(distance(floor.value) / distance(mean(metrics))),
      shown(mean(cells.map(({ seconds }) => seconds))),
    ]);
  }
}
