import { describe, expect, test } from "vitest";
import { mul, tensor, type Tensor } from "../../../src/autograd/index.js";
import { gatherBatch, sliceBatch } from "../../../src/bench/cells/batch.js";
import { buildModel, trackOf } from "../../../src/bench/cells/build-model.js";
import { evaluate } from "../../../src/bench/cells/evaluate.js";
import { measureCell } from "../../../src/bench/cells/measure-cell.js";
import type { TrainSpec } from "../../../src/bench/cells/spec.js";
import { runTrainingCell } from "../../../src/bench/cells/train-cell.js";
import { models } from "../../../src/bench/models/index.js";
import type { TrackNumbers } from "../../../src/bench/tracks/index.js";
import { decodeWeights, encodeWeights } from "../../../src/bench/cells/weights.js";
import type { Idea, TrainedModel } from "../../../src/ideas/index.js";
import { Adam } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { exampleIdea } from "../run/example-idea.js";

const none = new Map<string, Idea>();

function spec(changes: Partial<TrainSpec> = {}): TrainSpec {
  return {
    kind: "train",
    track: "dynamics",
    model: "rnn_small",
    arm: "baseline",
    cfg: { lr: 0.003 },
    seed: 3,
    trainSize: 40,
    validationSize: 0,
    testSize: 7,
    evaluate: "test",
    epochs: 2,
    batchSize: 16,
    optimizer: "adam",
    idea: null,
    ...changes,
  };
}

/** An idea and the specification of its cell. */
function ideaCell(idea: Idea) {
  const ideas = new Map([[idea.name, idea]]);
  return { ideas, spec: spec({ arm: "idea", idea: { name: idea.name, options: idea.options } }) };
}

describe.each([
  ["dynamics", "rnn_small", 192 * (2 + 64 + 2) + 65 * 2],
  [
    "sequence",
    "transformer_tiny",
    64 + 64 * 32 + 2 * (96 * 33 + 32 * 33 + 64 * 33 + 32 * 65 + 4 * 32) + 64 + 33,
  ],
  ["field", "rnn_small", 192 * (64 + 64 + 2) + 65 * 64],
  [
    "recall",
    "transformer_tiny",
    97 * 32 + 33 * 32 + 2 * (96 * 33 + 32 * 33 + 64 * 33 + 32 * 65 + 4 * 32) + 64 + 33 * 32,
  ],
])("a cell of %s with %s", (track, model, parameters) => {
  const cell = spec({ track, model });

  test("is a function of its specification, to the bit", () => {
    const events: unknown[] = [];
    const first = runTrainingCell(cell, none, (event) => events.push(event));
    expect(runTrainingCell(structuredClone(cell), none).result).toStrictEqual(first.result);
    expect(first.result).toMatchObject({ status: "ok", parameters, steps: 6 });
    expect(first.seconds).toBeGreaterThan(0);
    expect(events).toEqual(first.result.curve.map((loss, i) => ({ epoch: i + 1, loss })));
  });

  test("leaves the trained parameters: a model with them has the same metric", () => {
    const { result } = runTrainingCell(cell, none);
    const restored = buildModel(cell, none);
    restored.module.loadStateDict(decodeWeights(result.weights));
    const { test: held } = trackOf(track).make(cell.seed, { train: cell.trainSize, test: cell.testSize });
    expect(evaluate(restored, held, trackOf(track))).toBe(result.metric);
  });

  test("seed, rate and batch size matter", () => {
    const curves = [{}, { seed: 4 }, { cfg: { lr: 0.01 } }, { batchSize: 20 }].map((change) =>
      runTrainingCell({ ...cell, ...change }, none).result.curve.join(),
    );
    expect(new Set(curves).size).toBe(4);
  });
});

test('is Adam on the mean squared error, in the order of the stream "batches"', () => {
  const cell = spec();
  const track = trackOf("dynamics");
  const { train, test: held } = track.make(3, { train: 40, test: 7 });
  const model = buildModel(cell, none);
  const adam = new Adam(model.module.parameters(), { lr: 0.003, betas: [0.9, 0.999], eps: 1e-8 });
  const order = generator(3).stream("batches");
  for (let epoch = 0; epoch < 2; epoch++) {
    const permutation = order.permutation(40);
    for (const [from, to] of [
      [0, 16],
      [16, 32],
      [32, 40],
    ]) {
      const { x, y } = gatherBatch(train, track, permutation.slice(from, to));
      adam.zeroGrad();
      model.forward(x).sub(y).square().mean().backward();
      adam.step();
    }
  }
  expect(runTrainingCell(cell, none).result.metric).toBeCloseTo(evaluate(model, held, track), 6);
});

test('a model begins with the parameters of its seed\'s stream "init"', () => {
  const expected = models.get("rnn_small")!.build(trackOf("dynamics"), generator(3).stream("init"), {});
  const [found, wanted] = [buildModel(spec(), none), expected].map(({ module }) =>
    encodeWeights(module.stateDict()),
  );
  expect(found).toEqual(wanted);
});

test("training lowers the loss, and the curve is the mean over the series of each epoch", () => {
  const { curve } = runTrainingCell(spec({ epochs: 5, cfg: { lr: 0.01 } }), none).result;
  expect(curve).toHaveLength(5);
  expect(curve[4]).toBeLessThan(0.9 * curve[0]);
  const whole = runTrainingCell(spec({ epochs: 1, batchSize: 40 }), none).result.curve[0];
  const { train } = trackOf("dynamics").make(3, { train: 40, test: 7 });
  expect(whole).toBeCloseTo(evaluate(buildModel(spec(), none), train, trackOf("dynamics")), 6);
});

test("the last batch of an epoch is as small as it comes, and counts by its size", () => {
  const frozen = { cfg: { lr: 1e-12 }, epochs: 1 };
  const uneven = runTrainingCell(spec({ ...frozen, batchSize: 32 }), none).result;
  const even = runTrainingCell(spec({ ...frozen, batchSize: 40 }), none).result;
  expect([uneven.steps, even.steps]).toEqual([2, 1]);
  expect(uneven.curve[0]).toBeCloseTo(even.curve[0], 6);
});

test("the metric is over every test series, however they are grouped", () => {
  const track = trackOf("dynamics");
  const model = buildModel(spec(), none);
  const { test: held } = track.make(3, { train: 1, test: 230 });
  const alone = (from: number, count: number) => ({
    count,
    x: held.x.subarray(from * 64, (from + count) * 64),
    y: held.y.subarray(from * 2, (from + count) * 2),
  });
  const parts = evaluate(model, alone(0, 77), track) * 77 + evaluate(model, alone(77, 153), track) * 153;
  expect(evaluate(model, held, track)).toBeCloseTo(parts / 230, 12);
});

test("a loss that is not finite ends the cell before it touches the parameters", () => {
  let calls = 0;
  const blowUp = (hidden: Tensor): Tensor => mul(hidden, ++calls > 32 ? Infinity : 1);
  const { ideas, spec: cell } = ideaCell(exampleIdea({ change: () => ({ hidden: blowUp }) }));
  const { result } = runTrainingCell(cell, ideas);
  expect(result).toMatchObject({ status: "diverged", metric: Infinity, steps: 1 });
  expect(calls).toBe(2 * 32);
  expect(result.curve).toHaveLength(1);
  expect(result.curve[0]).not.toBeLessThan(Infinity);
  const numbers = Object.values(decodeWeights(result.weights)).flatMap((value) => [...value.values()]);
  expect(numbers.every(Number.isFinite)).toBe(true);
});

test("a metric that is not finite is a divergence too", () => {
  let calls = 0;
  const late = (hidden: Tensor): Tensor => mul(hidden, ++calls > 6 * 32 ? NaN : 1);
  const { ideas, spec: cell } = ideaCell(exampleIdea({ change: () => ({ hidden: late }) }));
  const { result } = runTrainingCell(cell, ideas);
  expect(result).toMatchObject({ status: "diverged", metric: Infinity, steps: 6 });
  expect(result.curve.every(Number.isFinite)).toBe(true);
});

test("the mechanism is measured on the trained parameters and the whole test part", () => {
  let seen: TrainedModel | undefined;
  const idea = exampleIdea();
  const watching = exampleIdea({
    measure: (trained, options, rng) => {
      seen = trained;
      return idea.measure(trained, options, rng);
    },
  });
  const { ideas, spec: cell } = ideaCell(watching);
  const { weights } = runTrainingCell(cell, ideas).result;
  const measured = measureCell({ kind: "measure", trained: cell }, weights, ideas).result;
  expect(measured.confirmed).toBe(true);
  expect(seen!.hiddenStates().map((state) => state.shape)).toEqual(new Array(32).fill([7, 64]));

  const restored = buildModel(cell, ideas);
  restored.module.loadStateDict(decodeWeights(weights));
  const { test: held } = trackOf("dynamics").make(3, { train: 40, test: 7 });
  const expected = restored.observe(sliceBatch(held, trackOf("dynamics"), 0, 7).x).hiddenStates();
  expect(seen!.hiddenStates().at(-1)!.values()).toEqual(expected.at(-1)!.values());
});

test("the baseline has no mechanism to measure", () => {
  expect(() => measureCell({ kind: "measure", trained: spec() }, {}, none)).toThrow(/E_INTERNAL/);
});

test.each([
  [{ track: "nowhere" }, /E_TRACK.*'nowhere'/],
  [{ model: "nothing" }, /E_TRACK.*'nothing'/],
  [{ idea: { name: "unheard", options: {} } }, /E_IDEA.*'unheard'/],
  [{ idea: { name: "toString", options: {} } }, /E_IDEA.*'toString'/],
])("a cell that names what does not exist: %j", (change, message) => {
  expect(() => runTrainingCell(spec(change), none)).toThrow(message);
});

test("recall: the loss is the mean of −ln softmax(prediction)[class]", () => {
  const cell = spec({ track: "recall", model: "transformer_tiny", cfg: { lr: 1e-30 }, epochs: 1 });
  const track = trackOf("recall");
  const { train } = track.make(3, { train: 40, test: 1 });
  const predictions = buildModel(cell, none)
    .forward(sliceBatch(train, track, 0, 40).x)
    .values();
  const losses = Array.from(train.y, (answer, i) => {
    const row = Array.from(predictions.subarray(32 * i, 32 * (i + 1)), Math.exp);
    return -Math.log(row[answer] / row.reduce((sum, value) => sum + value, 0));
  });
  const mean = losses.reduce((sum, loss) => sum + loss, 0) / 40;
  expect(runTrainingCell(cell, none).result.curve[0]).toBeCloseTo(mean, 5);
});

test("field: the drift of the moments is that of the trained model, and left out on the validation part", () => {
  const cell = spec({ track: "field", epochs: 1, testSize: 3 });
  const track = trackOf("field");
  const { result } = runTrainingCell(cell, none);
  const model = buildModel(cell, none);
  model.module.loadStateDict(decodeWeights(result.weights));
  const forecast = (x: TrackNumbers, count: number): Float32Array =>
    Float32Array.from(model.forward(tensor(x, { shape: [count, 16, 64] })).values());
  expect(result.further).toEqual(track.further!.measure(forecast, 3, 3));
  const tuning = { ...cell, evaluate: "validation", validationSize: 3, testSize: 0 } as const;
  expect(runTrainingCell(tuning, none).result).not.toHaveProperty("further");
  expect(runTrainingCell(spec(), none).result).not.toHaveProperty("further");
});
