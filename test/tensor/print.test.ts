import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { tensor, zeros } from "../../src/autograd/index.js";
import { convert, formatArray, NDArray, type DType } from "../../src/tensor/index.js";
import cases from "./fixtures/print.json" with { type: "json" };

const number = (text: string): number =>
  ({ nan: NaN, inf: Infinity, "-inf": -Infinity })[text] ?? Number(text);

describe("formatArray", () => {
  test.each(cases.map((each, i) => ({ ...each, i })))("is NumPy's: case $i, $dtype $shape", (each) => {
    const exact = new NDArray(each.shape, "float64", Float64Array.from(each.values, number));
    expect(formatArray(convert(exact, each.dtype as DType), "tensor(", ")")).toBe(each.text);
  });

  test("every number is told from its neighbours, to four digits", () => {
    expect(formatArray(NDArray.of([1], Float64Array.of(0.1 + 0.2)))).toBe("[0.3]");
    expect(formatArray(NDArray.of([1], Float32Array.of(16777216)))).toBe("[1.6777e+07]");
  });
});

describe("a tensor as text", () => {
  test("shows type, requiresGrad, and the shape when nothing is in it", () => {
    expect(String(tensor([[1, 2.5]]))).toBe("tensor([[1. , 2.5]])");
    expect(String(tensor([1], { dtype: "float64", requiresGrad: true }))).toBe(
      "tensor([1.], float64, requiresGrad)",
    );
    expect(String(tensor([1, 20], { dtype: "int32" }))).toBe("tensor([ 1, 20], int32)");
    expect(String(tensor([true, false]))).toBe("tensor([ True, False], bool)");
    expect(String(tensor(2))).toBe("tensor(2.)");
    expect(String(zeros([2, 0]))).toBe("tensor([], shape=[2, 0])");
    expect(String(zeros([0]))).toBe("tensor([])");
    expect(inspect(tensor([[1], [2]]))).toBe("tensor([[1.],\n        [2.]])");
  });
});
