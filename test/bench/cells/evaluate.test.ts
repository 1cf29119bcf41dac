import { expect, test } from "vitest";
import { tensor, type Tensor } from "../../../src/autograd/index.js";
import { evaluate } from "../../../src/bench/cells/evaluate.js";
import type { BenchModel } from "../../../src/bench/models/index.js";
import type { Split, Track } from "../../../src/bench/tracks/index.js";
import { Module } from "../../../src/nn/index.js";

type Scored = Pick<Track, "input" | "outputs" | "loss" | "metric">;

/** A model without parameters that predicts by a function of the first number of each series. */
function modelOf(predict: (first: number) => readonly number[]): BenchModel {
  const forward = (x: Tensor): Tensor => {
    const [batch, steps, features] = x.shape;
    const values = x.values();
    return tensor(Array.from({ length: batch! }, (_, i) => predict(values[i * steps! * features!]!)));
  };
  return { module: new (class extends Module {})(), forward, observe: () => ({}) as never };
}

const tokens: Scored = {
  input: { kind: "tokens", steps: 2, features: 1, vocabulary: 4 },
  outputs: 3,
  loss: "cross-entropy",
  metric: "accuracy",
};

test("accuracy: the share of series whose class has the largest prediction, over batches of any size", () => {
  const count = 230;
  const x = Int32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? (i / 2) % 3 : 3));
  const y = Int32Array.from({ length: count }, (_, i) => (i % 10 === 0 ? (i + 1) % 3 : i % 3));
  const split: Split = { count, x, y };
  const model = modelOf((first) => [0, 1, 2].map((k) => (k === first ? 1 : -1)));
  expect(evaluate(model, split, tokens)).toBe(207 / 230);
});

test("accuracy: of equal predictions the first class counts; a prediction that is no number makes it NaN", () => {
  const split: Split = { count: 3, x: Int32Array.of(0, 0, 1, 0, 2, 0), y: Int32Array.of(0, 1, 2) };
  expect(
    evaluate(
      modelOf(() => [1, 1, 1]),
      split,
      tokens,
    ),
  ).toBe(1 / 3);
  expect(
    evaluate(
      modelOf((first) => [0, first === 2 ? Infinity : 1, 0]),
      split,
      tokens,
    ),
  ).toBe(NaN);
});

test("MSE: the mean of the squared differences over all targets", () => {
  const track: Scored = {
    input: { kind: "series", steps: 1, features: 1 },
    outputs: 2,
    loss: "squared error",
    metric: "MSE",
  };
  const split: Split = { count: 2, x: Float32Array.of(1, 2), y: Float32Array.of(1, 3, 2, 0) };
  expect(
    evaluate(
      modelOf((first) => [first, first]),
      split,
      track,
    ),
  ).toBe((0 + 4 + 0 + 4) / 4);
});
