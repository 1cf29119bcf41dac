import { expect, test } from "vitest";
import {
  descend,
  gradientByHand,
  gradientByLibrary,
  loss,
  makeData,
} from "../../examples/linear-regression.js";
import { cholesky, generator, ones, randomNormal, solveTriangular, type Tensor } from "../../src/index.js";
import { concat } from "../../src/index.js";

const data = makeData(3);
const largest = (x: Tensor): number => Math.max(...x.abs().values());

test("the gradient by hand is that of the library", () => {
  const rng = generator(1);
  for (let i = 0; i < 10; i++) {
    const line = {
      w: randomNormal(rng, [3], { dtype: "float64" }),
      b: randomNormal(rng, [], { dtype: "float64" }),
    };
    const [hand, library] = [gradientByHand(line, data), gradientByLibrary(line, data)];
    expect(largest(hand.w.sub(library.w))).toBeLessThan(1e-14);
    expect(largest(hand.b.sub(library.b))).toBeLessThan(1e-14);
  }
});

test("descent ends at the solution of the normal equations", () => {
  const { line, losses } = descend(data, gradientByLibrary);
  const a = concat([data.x, ones([64, 1], { dtype: "float64" })], 1);
  const lower = cholesky(a.transpose().matmul(a));
  const right = a.transpose().matmul(data.y.unsqueeze(1));
  const solution = solveTriangular(lower.transpose(), solveTriangular(lower, right), { upper: true }).squeeze(
    1,
  );
  expect(largest(line.w.sub(solution.slice([[0, 3]])))).toBeLessThan(1e-10);
  expect(line.b.item()).toBeCloseTo(solution.values()[3]!, 10);
  expect(losses.every((each, i) => i === 0 || each <= losses[i - 1]! + 1e-15)).toBe(true);
  expect(loss(line, data).item()).toBeLessThan(0.02);
});
