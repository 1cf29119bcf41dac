import { describe, expect, test } from "vitest";
import * as gradstand from "../../src/autograd/index.js";
import { cholesky, solveTriangular, svd, tensor, zeros, type Tensor } from "../../src/autograd/index.js";
import { GradstandError } from "../../src/errors/index.js";

type Functions = Record<string, (...args: unknown[]) => Tensor>;
const functions = gradstand as unknown as Functions;
const x = zeros([2, 3]);

const binary = ["add", "sub", "mul", "div", "pow", "scale", "maximum", "minimum"].concat([
  "equal",
  "notEqual",
  "less",
  "lessEqual",
  "greater",
  "greaterEqual",
  "logicalAnd",
  "logicalOr",
  "where",
]);

test.each(binary)("%s names itself, both shapes and the rule", (name) => {
  const args = name === "where" ? [tensor([true]), x, zeros([2, 4])] : [x, zeros([2, 4])];
  expect(() => functions[name]!(...args)).toThrow(
    new RegExp(
      `^E_SHAPE: ${name}: shapes \\[2, 3\\] and \\[2, 4\\] do not broadcast: .*axis -1 has sizes 3 and 4`,
    ),
  );
});

const withAxis = [
  "sum",
  "mean",
  "max",
  "min",
  "prod",
  "variance",
  "std",
  "norm",
  "logsumexp",
  "argmax",
  "argmin",
].concat(["cumsum", "cumprod", "softmax", "logSoftmax", "flip", "squeeze"]);

describe.each(withAxis)("%s", (name) => {
  test("names itself and the axes there are", () => {
    const inner = name === "std" ? "variance" : name;
    for (const bad of [2, -3, 0.5, NaN])
      expect(() => functions[name]!(x, bad)).toThrow(
        new RegExp(`^E_AXIS: ${inner}: expected an axis from -2 to 1, got`),
      );
    expect(() => functions[name]!(tensor(1), 0)).toThrow(
      new RegExp(`^E_AXIS: ${inner}: a scalar has no axis`),
    );
  });
});

test("linear algebra refuses what is not square, floating or definite", () => {
  expect(() => cholesky(x)).toThrow(/^E_SHAPE: cholesky: .*\[2, 3\]/);
  expect(() => cholesky(tensor([[1]], { dtype: "int32" }))).toThrow(/^E_DTYPE: cholesky/);
  expect(() =>
    cholesky([
      [1, 2],
      [2, 1],
    ]),
  ).toThrow(/^E_NUMERIC: cholesky.*pivot 1/);
  expect(() => solveTriangular(x, x)).toThrow(/^E_SHAPE: solveTriangular: .*\[2, 3\]/);
  expect(() => solveTriangular(zeros([2, 2]), zeros([3, 1]))).toThrow(
    /^E_SHAPE: solveTriangular: .*\[2, 2\].*\[3, 1\]/,
  );
  expect(() => solveTriangular(zeros([2, 2]), zeros([2, 1], { dtype: "float64" }))).toThrow(
    /^E_DTYPE.*float32.*float64/,
  );
  expect(() => svd(zeros([2]))).toThrow(/^E_SHAPE: svd/);
  expect(() => svd(tensor([[true]]))).toThrow(/^E_DTYPE: svd/);
});

test("normalize refuses a negative eps", () => {
  expect(() => x.normalize({ eps: -1 })).toThrow(/^E_VALUE: normalize.*-1/);
  expect(() => x.normalize({ eps: NaN })).toThrow(/^E_VALUE/);
});

test("slices say which axis, and what they allow", () => {
  expect(() => x.slice([5])).toThrow(/^E_INDEX: slice: index 5 .*axis 0 of \[2, 3\], expected -2 to 1/);
  expect(() => x.slice([null, [0, 2, 0]])).toThrow(/^E_INDEX: slice: the step along axis 1 is 0/);
  expect(() => x.slice([[0.5]])).toThrow(/^E_INDEX: slice: .*axis 0.*0.5/);
  expect(() => x.slice([null, null, null])).toThrow(/^E_INDEX: slice: 3 ranges for 2 axes of \[2, 3\]/);
  expect(() => x.slice(["a" as never])).toThrow(/^E_INDEX: slice: .*axis 0.*a/);
  expect(() => zeros([0]).slice([0])).toThrow(/^E_INDEX: slice: .*no entries/);
});

test("what is thrown is a GradstandError with its code", () => {
  try {
    x.add(zeros([5]));
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(GradstandError);
    expect((error as GradstandError).code).toBe("E_SHAPE");
  }
});
