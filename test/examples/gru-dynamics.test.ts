import { expect, test } from "vitest";
import { Forecaster, makeData, meanSquaredError, train } from "../../examples/gru-dynamics.js";

test("the network learns to foretell both oscillators better than their mean", () => {
  const data = makeData(1, { train: 128, test: 128 });
  const model = new Forecaster(1);
  const before = meanSquaredError(model, data.test);
  const losses = [...train(model, data.train, { epochs: 4, rate: 0.006, seed: 1 })];
  expect(losses.length).toBe(4);
  expect(losses[3]).toBeLessThan(losses[0]! / 2);
  const after = meanSquaredError(model, data.test);
  expect(after).toBeLessThan(before / 3);
  expect(after).toBeLessThan(0.3);
});

test("equal seeds train equal networks", () => {
  const losses = [0, 1].map(() => {
    const data = makeData(2, { train: 32, test: 1 });
    return [...train(new Forecaster(2), data.train, { epochs: 2, rate: 0.006, seed: 2 })];
  });
  expect(losses[0]).toEqual(losses[1]);
});
