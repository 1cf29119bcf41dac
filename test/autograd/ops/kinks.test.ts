import { expect, test } from "vitest";
import type { Tensor } from "../../../src/autograd/index.js";
import { expectClose, gradientOf } from "../cases/close.js";

/** The derivative that the documentation promises where there is none, or two. */
const kinks: readonly [name: string, f: (x: Tensor) => Tensor, at: number[], slopes: number[]][] = [
  ["abs is 0 at 0", (x) => x.abs(), [0, -0, -2, 3], [0, 0, -1, 1]],
  ["sign is 0 everywhere", (x) => x.sign(), [0, -2, Infinity], [0, 0, 0]],
  ["relu is 0 at 0, and passes NaN on", (x) => x.relu(), [0, -0, -1, 1, NaN], [0, 0, 0, 1, 1]],
  ["clip passes at its bounds", (x) => x.clip(-1, 1), [-1, 1, -1.5, 1.5], [1, 1, 0, 0]],
  ["maximum shares a tie", (x) => x.maximum(2), [2, 1, 3], [0.5, 0, 1]],
  ["minimum shares a tie", (x) => x.minimum(2), [2, 1, 3], [0.5, 1, 0]],
  ["maximum of a thing with itself", (x) => x.maximum(x), [2], [1]],
  ["sqrt is infinite at 0", (x) => x.sqrt(), [0, 4], [Infinity, 0.25]],
  ["log is infinite at 0", (x) => x.log(), [0, 4], [Infinity, 0.25]],
  ["x⁰ is 0 at 0", (x) => x.pow(0), [0, 2], [0, 0]],
  ["x¹ is 1 at 0", (x) => x.pow(1), [0, -2], [1, 1]],
  ["|x|^½ is infinite at 0", (x) => x.pow(0.5), [0], [Infinity]],
  ["softplus far out", (x) => x.softplus(), [-1000, 0, 1000], [0, 0.5, 1]],
  ["sigmoid far out", (x) => x.sigmoid(), [-1000, 0, 1000], [0, 0.25, 0]],
  ["tanh far out", (x) => x.tanh(), [-1000, 0, 1000], [0, 1, 0]],
  ["gelu far out", (x) => x.gelu(), [-1000, 0, 1000], [0, 0.5, 1]],
  ["erf far out", (x) => x.erf(), [-1e200, 1e200], [0, 0]],
  ["where passes to the branch taken", (x) => x.where(x.greater(0), 0), [-1, 0, 1], [0, 0, 1]],
  ["reciprocal of infinity", (x) => x.reciprocal(), [Infinity, 2], [-0, -0.25]],
];

test.each(kinks)("%s", (_, f, at, slopes) => {
  expectClose(
    gradientOf((x) => f(x).sum(), at),
    slopes,
    1e-15,
  );
});

test("the derivative of gelu keeps its digits in the far left tail", () => {
  // Φ(−8) − 8·φ(8)
  const exact = 6.220960574271785e-16 - 8 * 5.052271083536893e-15;
  const slope = gradientOf((x) => x.gelu().sum(), [-8]).item();
  expect(Math.abs(slope / exact - 1)).toBeLessThan(1e-9);
});
