import { expect, test } from "vitest";
import { accuracy, logisticRegression, map, moons, perceptron, train } from "../../examples/two-moons.js";

test("a perceptron parts two moons, which a straight line cannot", () => {
  const [seen, unseen] = [moons(0, 200), moons(1, 500)];
  const [line, bent] = [logisticRegression(0), perceptron(0)];
  train(line, seen, 200);
  const losses = train(bent, seen, 200);
  expect(losses[199]).toBeLessThan(losses[0]! / 10);
  expect(accuracy(bent, unseen)).toBeGreaterThan(0.97);
  expect(accuracy(line, unseen)).toBeLessThan(0.95);
  const rows = map(bent).split("\n");
  expect(rows.length).toBe(20);
  // Above the upper moon it is the upper one's place, below the lower moon the lower one's.
  expect(rows[2]![20]).toBe(".");
  expect(rows[17]![42]).toBe("#");
});

test("the points are those of their seed, each moon as often", () => {
  expect(moons(5, 40).x.values()).toEqual(moons(5, 40).x.values());
  expect(moons(5, 40).x.values()).not.toEqual(moons(6, 40).x.values());
  expect(moons(5, 40).y.sum().item()).toBe(20);
});
