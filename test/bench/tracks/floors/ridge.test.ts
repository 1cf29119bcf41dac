import { expect, test } from "vitest";
import { meanSquaredError } from "../../../../src/bench/tracks/floors/mean-squared-error.js";
import {
  chooseRidgePenalty,
  fitRidge,
  predictLinear,
  type Table,
} from "../../../../src/bench/tracks/floors/ridge.js";
import { generator } from "../../../../src/random/index.js";

/** y = 3 + X w + noise, with `count` rows of `width` standard normal inputs. */
function linearTable(count: number, width: number, noise: number): Table {
  const rng = generator(7);
  const x = Float32Array.from(rng.normals(count * width));
  const y = Float32Array.from(rng.normals(count, 3, noise));
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < width; j++) y[i] += x[i * width + j] * (j - 1);
  }
  return { x, y, width, outputs: 1 };
}

test("recovers a linear law and its intercept when the penalty is small", () => {
  const table = linearTable(200, 4, 0);
  const fit = fitRidge(table, 1e-9);
  fit.weights.forEach((weight, j) => expect(weight).toBeCloseTo(j - 1, 5));
  const atZero = predictLinear(fit, new Float32Array(4));
  expect(atZero[0]).toBeCloseTo(3, 5);
});

test.each([
  [50, 3],
  [20, 20],
  [12, 30],
])(
  "the gradient of the penalised error vanishes at the fit of %i rows of %i, the intercept unpenalised",
  (count, width) => {
    const table = linearTable(count, width, 1);
    const penalty = 10;
    const fit = fitRidge(table, penalty);
    const prediction = predictLinear(fit, table.x);
    const residual = Array.from(table.y, (value, i) => value - prediction[i]);
    expect(residual.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 4);
    for (let j = 0; j < width; j++) {
      let correlation = 0;
      for (let i = 0; i < count; i++) correlation += (table.x[width * i + j] - fit.centre[j]) * residual[i];
      expect(correlation).toBeCloseTo(penalty * fit.weights[j], 4);
    }
  },
);

test("a huge penalty leaves the mean", () => {
  const table = linearTable(50, 3, 1);
  const mean = Array.from(table.y).reduce((a, b) => a + b, 0) / 50;
  expect(predictLinear(fitRidge(table, 1e12), table.x)[0]).toBeCloseTo(mean, 4);
});

test("chooses a small penalty for a clean law and a large one for noise", () => {
  expect(chooseRidgePenalty(linearTable(100, 4, 0))).toBe(0.01);
  const rng = generator(1);
  const noise: Table = {
    x: Float32Array.from(rng.normals(40 * 30)),
    y: Float32Array.from(rng.normals(40)),
    width: 30,
    outputs: 1,
  };
  expect(chooseRidgePenalty(noise)).toBe(100);
});

test("the held-out fifth is the last one: what is wrong there decides", () => {
  const table = linearTable(100, 4, 0);
  const upset = { ...table, y: table.y.map((value, i) => (i < 85 ? value : 3)) };
  expect(chooseRidgePenalty(upset)).toBe(100);
});

test("a single row holds nothing out and takes the largest penalty", () => {
  expect(chooseRidgePenalty(linearTable(1, 4, 0))).toBe(100);
});

test("mean squared error is over all elements", () => {
  expect(meanSquaredError([1, 2, 3, 4], [1, 2, 3, 0])).toBe(4);
});
