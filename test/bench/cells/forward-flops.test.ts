import { expect, test } from "vitest";
import { defineOp, matmul, randomNormal, relu } from "../../../src/autograd/index.js";
import { forwardFlops } from "../../../src/bench/cells/forward-flops.js";
import { runTrainingCell } from "../../../src/bench/cells/train-cell.js";
import type { TrainSpec } from "../../../src/bench/cells/spec.js";
import { models } from "../../../src/bench/models/index.js";
import { builtInIdeas, type ModelChange } from "../../../src/ideas/index.js";
import { momentRank2 } from "../../../src/ideas/moment-rank2/index.js";
import { residualPivoted } from "../../../src/ideas/residual-pivoted/index.js";
import { NDArray } from "../../../src/tensor/index.js";
import { generator } from "../../../src/random/index.js";

const draw = (...shape: number[]) => randomNormal(generator(1), shape);

function flopsOf(name: string, steps: number, features: number, change: ModelChange = {}): number {
  const shape = { input: { kind: "series", steps, features }, outputs: 2 } as const;
  const model = models.get(name)!.build(shape, generator(0), change);
  return forwardFlops(() => model.forward(draw(1, steps, features)));
}

test("a product of m×k and k×n has 2mkn, other operations one an element, and moving numbers none", () => {
  expect(forwardFlops(() => matmul(draw(3, 4), draw(4, 5)))).toBe(2 * 3 * 4 * 5);
  expect(forwardFlops(() => matmul(draw(7, 4, 3), draw(7, 4, 5), { transposeA: true }))).toBe(
    7 * 2 * 3 * 4 * 5,
  );
  expect(forwardFlops(() => relu(draw(3, 4)))).toBe(12);
  expect(forwardFlops(() => draw(3, 4).reshape([4, 3]).permute([1, 0]))).toBe(0);
});

test("an operation of one's own may say what it costs", () => {
  const costly = defineOp({
    name: "costly",
    forward: ([x]) => NDArray.copyOf(x!),
    vjp: ({ cotangent }) => [cotangent],
    flops: (_inputs, { size }) => 100 * size,
  });
  expect(forwardFlops(() => costly([draw(3)]))).toBe(300);
});

test("the models: what their layers' formulas add up to, the same with the state looked at after each step", () => {
  const gru = 32 * (6 * 64 * (2 + 64) + 14 * 64);
  const head = 2 * (2 * 64 + 1);
  expect(flopsOf("rnn_small", 32, 2)).toBe(gru + head);
  expect(flopsOf("rnn_small", 32, 2, { hidden: (hidden) => hidden })).toBe(gru + head);
  expect(flopsOf("rnn_small", 32, 2, { width: 36 })).toBe(
    32 * (6 * 36 * (2 + 36) + 14 * 36) + 2 * (2 * 36 + 1),
  );
  const changed = flopsOf("rnn_small", 32, 2, momentRank2.change(momentRank2.options, generator(0)));
  // 6 sweeps of 28 pairs of columns of 8×8 (144 each), 2·2 for each entry of T_2, three projections on four moments.
  expect(changed - gru - head).toBe(32 * (6 * 28 * 144 + 64 * (2 * 2 + 3 * 4 * 4)));
  const exact = flopsOf("transformer_tiny", 256, 1);
  const pivoted = flopsOf(
    "transformer_tiny",
    256,
    1,
    residualPivoted.change(residualPivoted.options, generator(0)),
  );
  // Linear in the number of tokens beside quadratic: at 256 the pivots cost less.
  expect(pivoted).toBeLessThan(exact);
});

const spec: TrainSpec = {
  kind: "train",
  track: "dynamics",
  model: "rnn_small",
  arm: "baseline",
  cfg: { lr: 0.001 },
  seed: 0,
  trainSize: 8,
  validationSize: 0,
  testSize: 8,
  evaluate: "test",
  epochs: 1,
  batchSize: 4,
  optimizer: "adam",
  idea: null,
};

test("a training cell says them and how high the arena stood, the same each time and whatever ran before", () => {
  const idea = { name: momentRank2.name, options: momentRank2.options };
  const changed: TrainSpec = { ...spec, arm: "idea", idea };
  const costs = [spec, changed, spec, changed].map((each) => {
    const { flops, memory } = runTrainingCell(each, builtInIdeas);
    return { flops, memory };
  });
  expect(costs[0]!.flops).toBe(flopsOf("rnn_small", 32, 2));
  expect(costs[0]!.memory).toBeGreaterThan(4 * 32 * 64 * 4);
  expect(costs[2]).toEqual(costs[0]);
  expect(costs[3]).toEqual(costs[1]);
  expect(costs[1]!.flops).toBeGreaterThan(costs[0]!.flops!);
});
