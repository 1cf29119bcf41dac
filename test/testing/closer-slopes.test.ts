import { expect, test } from "vitest";
import { tensor, type Tensor } from "../../src/autograd/index.js";
import { CloserSlopes } from "../../src/testing/closer-slopes.js";
import { fivePoint } from "../../src/testing/differences.js";
import {
  checkAdjoint,
  checkCorrectGradients,
  checkSecondOrder,
  expectCorrectGradients,
  type TensorFunction,
} from "../../src/testing/index.js";
import { forAll, inputs } from "../../src/testing/arbitraries/index.js";
import { square } from "./own-operations.js";

const rms: TensorFunction = (x, gain) =>
  x!.div(x!.square().mean(-1, { keepDims: true }).add(1e-5).sqrt()).mul(gain!);
const zeros = [tensor([[0]], { dtype: "float64" }), tensor([1], { dtype: "float64" })];

test("a slope within a bend is that of d/dt t/√(ε + t²) = 1/√ε", () => {
  const bend = (t: number): number[] => [t / Math.sqrt(1e-5 + t * t)];
  const exact = 1 / Math.sqrt(1e-5);
  expect(Math.abs(fivePoint(bend, 3e-4)[0]! / exact - 1)).toBeGreaterThan(1e-5);
  expect(Math.abs(new CloserSlopes(bend, 3e-4).slope((all) => all[0]!) / exact - 1)).toBeLessThan(1e-10);
});

test.each([
  ["CorrectGradients", checkCorrectGradients],
  ["Adjoint", checkAdjoint],
  ["SecondOrder", checkSecondOrder],
] as const)("%s holds for a right layer that bends within the first step", (_, check) => {
  expect(check(rms, zeros)).toMatchObject({ passed: true, kinks: 0 });
});

test("a small fault in a bend is still found", () => {
  const nearly: TensorFunction = (x, gain) => rms(x!.mul(1 - 1e-7).add(x!.detach().mul(1e-7)), gain!);
  const result = checkCorrectGradients(nearly, zeros, { explain: false });
  expect(result.passed).toBe(false);
  expect(result.worst).toBeGreaterThan(0.9e-7);
  expect(result.worst).toBeLessThan(1.1e-7);
});

test.each([1, 2, 3])(
  "right layers raise no false alarm on the numbers drawn by default (seed %i)",
  (seed) => {
    const linear: TensorFunction = (x, w, b) => x!.matmul(w!).add(b!).softplus();
    const attention: TensorFunction = (q, k, v) => q!.matmul(k!.transpose()).softmax(1).matmul(v!);
    const options = { seed, runs: 150 };
    forAll(inputs("(m,n),(n,p),(p)"), (xs) => checkCorrectGradients(linear, xs, { explain: false }), options);
    forAll(
      inputs("(m,d),(n,d),(n,e)"),
      (xs) => checkCorrectGradients(attention, xs, { explain: false }),
      options,
    );
    forAll(inputs("(m,n),(n)"), (xs) => checkCorrectGradients(rms, xs, { explain: false }), options);
    forAll(
      inputs("(m,n)"),
      ([x]) => checkCorrectGradients((y) => y!.normalize(), [x!], { explain: false }),
      options,
    );
  },
);

test("a rule that reads what the last call left behind fails", () => {
  let left: Tensor | undefined;
  const op = square((g) => g.mul(left!.mul(2)));
  const stale: TensorFunction = (x) => {
    left = x!.detach();
    return op(x!);
  };
  expect(checkCorrectGradients(stale, [tensor([1, 2], { dtype: "float64" })]).passed).toBe(false);
});

test("a function that is itself NaN is said to be", () => {
  const unit: TensorFunction = (x) => x!.div(x!.square().sum().sqrt());
  expect(() => expectCorrectGradients(unit, [tensor([0], { dtype: "float64" })])).toThrow(
    /hint +the function itself is NaN or infinite/,
  );
});

test("a factor of one element is not called constant, and one near 1 a small error", () => {
  const one = tensor([1], { dtype: "float64" });
  const hinted = (factor: number): TensorFunction => square((g, x) => g.mul(x.mul(factor)));
  expect(() => expectCorrectGradients(hinted(2.6), [one])).toThrow(/1\.3 × expected, in the only element/);
  expect(() => expectCorrectGradients(hinted(2.0001), [one])).toThrow(/nearly right/);
});
