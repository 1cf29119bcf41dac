import { expect, test } from "vitest";
import { accuracy, askedFor, lookedAt, Recaller, track, train } from "../../examples/transformer-recall.js";

test("the transformer begins to recall, and its loss falls", () => {
  const data = track.make(3, { train: 64, test: 32 });
  const model = new Recaller(3);
  expect(accuracy(model, data.test)).toBeLessThan(0.3);
  const losses = [...train(model, data.train, { epochs: 6, rate: 0.01, seed: 3 })];
  expect(losses.at(-1)).toBeLessThan(losses[0]! * 0.8);
});

test("attention weights are those of a softmax, one row a head, and the asked pair holds the asked key", () => {
  const { test: split } = track.make(4, { train: 1, test: 4 });
  const model = new Recaller(4);
  for (let series = 0; series < 4; series++) {
    const heads = lookedAt(model, split, series);
    expect(heads.length).toBe(4);
    for (const weights of heads) {
      expect(weights.length).toBe(33);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
    }
    const [asked, start] = [askedFor(split, series), series * 33 * 2];
    expect(split.x[start + 2 * asked]).toBe(split.x[start + 2 * 32]);
    // The value beside the key is the class to name; values follow the 64 keys among the tokens.
    expect(split.x[start + 2 * asked + 1]! - 64).toBe(split.y[series]);
  }
});
