/**
 * The study behind `defaultBound` of moment-rank2, as the rows of its table: what each bound on the amplification does
 * to the gradient, and to training. Build first, then, for some minutes:
 * node benchmarks/amplification-bound.mjs
 */
import process from "node:process";
import { models, presets, tracks } from "../dist/bench/index.js";
import { builtInIdeas } from "../dist/ideas/index.js";
import { Adam, clipGradNorm, mseLoss } from "../dist/nn/index.js";
import { generator, tensor } from "../dist/index.js";

const momentRank2 = builtInIdeas.get("moment-rank2");
const track = tracks.get(momentRank2.track);
const { batchSize } = presets.get("seed");
const { trainSize, testSize } = presets.get("seed").tracks[track.name];
const lr = 0.006;
const seeds = [0, 1, 2, 3];
const epochs = { bias: 14, error: 8 };
const unclipped = { bound: Infinity };
const rows = [
  ...[2, 4, 8, 16].map((bound) => [String(bound), { bound }]),
  ["none", unclipped],
  ...["tangent", "straight-through"].map((gradient) => [gradient, { gradient }]),
];

/** The model of a seed with moment-rank2 under these options, its data, and a pass over the training part at a time. */
function start(seed, options) {
  const change = momentRank2.change({ ...momentRank2.options, ...options }, generator(seed).stream("idea"));
  const model = models.get(momentRank2.model).build(track, generator(seed).stream("init"), change);
  const { train, test } = track.make(seed, { train: trainSize, test: testSize });
  const optimizer = new Adam(model.module.parameters(), { lr });
  const order = generator(seed).stream("batches");
  const batches = () => {
    const shuffled = order.permutation(train.count);
    const count = Math.ceil(train.count / batchSize);
    return Array.from({ length: count }, (_, at) => shuffled.slice(at * batchSize, (at + 1) * batchSize));
  };
  return { model, train, test, optimizer, batches };
}

function lossOf(model, { x, y }, indices) {
  const { steps, features } = track.input;
  const at = tensor(Int32Array.from(indices));
  const pick = (values, shape) =>
    tensor(values)
      .reshape([-1, ...shape])
      .gather(at);
  return mseLoss(model.forward(pick(x, [steps, features])), pick(y, [track.outputs]));
}

/** The gradient of the loss on a batch, left in the parameters. Returns its norm. */
function takeGradient(model, split, indices) {
  model.module.zeroGrad();
  lossOf(model, split, indices).backward();
  return clipGradNorm(model.module.parameters(), Infinity);
}

/** One pass; returns the norm of each gradient. */
function trainEpoch({ model, train, optimizer, batches }) {
  return batches().map((indices) => {
    const norm = takeGradient(model, train, indices);
    optimizer.step();
    return norm;
  });
}

function flatGradient(model) {
  return model.module.parameters().flatMap(({ grad }) => [...grad.values()]);
}

/**
 * ‖g − g∞‖/‖g∞‖ of the gradient g under each row's options, on one batch at the parameters that training with the default
 * bound has at the end of each epoch.
 */
function biases() {
  const found = rows.map(() => []);
  for (const seed of seeds) {
    const run = start(seed, {});
    const exact = start(seed, unclipped).model;
    const others = rows.map(([, options]) => start(seed, options).model);
    for (let epoch = 0; epoch < epochs.bias; epoch++) {
      trainEpoch(run);
      const [batch] = run.batches();
      const at = (model) => {
        model.module.loadStateDict(run.model.module.stateDict());
        takeGradient(model, run.train, batch);
        return flatGradient(model);
      };
      const whole = at(exact);
      others.forEach((model, row) => {
        const difference = at(model).map((g, i) => g - whole[i]);
        found[row].push(Math.hypot(...difference) / Math.hypot(...whole));
      });
    }
  }
  return found;
}

/** The norm of each gradient and the mean test error of the seeds, trained batch for batch as the bench does. */
function training(options) {
  const norms = [];
  const errors = seeds.map((seed) => {
    const run = start(seed, options);
    for (let epoch = 0; epoch < epochs.error; epoch++) norms.push(...trainEpoch(run));
    return lossOf(
      run.model,
      run.test,
      Array.from({ length: testSize }, (_, at) => at),
    ).item();
  });
  return { norms, error: errors.reduce((sum, error) => sum + error) / errors.length };
}

function rounded(x) {
  return String(Number(x.toPrecision(2)));
}

/** The value that a share of the others lie below. */
function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
}

function cells(values, shares) {
  return shares.map((share) => rounded(quantile(values, share))).join(", ");
}

const found = biases();
process.stdout.write("| bound | bias: median, 90 %, greatest | norm: median, greatest | mean test error |\n");
process.stdout.write("| --- | --- | --- | --- |\n");
rows.forEach(([name, options], row) => {
  const { norms, error } = training(options);
  process.stdout.write(
    `| ${name} | ${cells(found[row], [0.5, 0.9, 1])} | ${cells(norms, [0.5, 1])} | ${rounded(error)} |\n`,
  );
});
