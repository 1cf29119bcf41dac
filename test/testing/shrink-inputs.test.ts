import { expect, test } from "vitest";
import { tensor, type Tensor } from "../../src/autograd/index.js";
import { Comparison, shrinkInputs, tensorLiteral, type Check } from "../../src/testing/index.js";
import { axisGroups, keptSlices, namedAxes } from "../../src/testing/failure/axis-groups.js";
import { normal } from "./own-operations.js";

/** Fails while a condition on the inputs holds. */
function failsWhile(condition: (...xs: readonly Tensor[]) => boolean): Check {
  return (_, inputs) => {
    const comparison = new Comparison("Test");
    comparison.error("part", 0, Number(condition(...inputs)), () => ({
      where: "the inputs",
      expected: 0,
      found: 1,
    }));
    return comparison.result();
  };
}

const identity = (x: Tensor): Tensor => x;

test("the smallest tensor that still fails: its largest element above 3", () => {
  const x = normal("x", 4, 5, 2).mul(4);
  const law = failsWhile((y) => y!.size > 0 && Math.max(...y!.values()) > 3);
  const { inputs, result } = shrinkInputs(law, identity, [x]);
  expect(result.passed).toBe(false);
  expect(inputs[0]!.shape).toEqual([1, 1, 1]);
  expect(inputs[0]!.item()).toBeGreaterThan(3);
  expect(String(inputs[0]!.item()).length).toBeLessThanOrEqual(3);
});

test("slices that matter together stay", () => {
  const x = tensor([[1, -1, 5, 5, -5, -1]], { dtype: "float64" });
  const law = failsWhile((y) => Math.max(...y!.values()) >= 5 && Math.min(...y!.values()) <= -5);
  expect(shrinkInputs(law, identity, [x]).inputs[0]!.toArray()).toEqual([[5, -5]]);
});

test("is bounded in how often the law is asked, and leaves inputs alone that do not fail", () => {
  let asked = 0;
  const counted: Check = (f, inputs) => {
    asked++;
    return failsWhile(() => true)(f, inputs);
  };
  shrinkInputs(counted, identity, [normal("x", 8, 8)], { evaluations: 10 });
  expect(asked).toBeLessThanOrEqual(11);
  const x = [normal("x", 3)];
  expect(
    shrinkInputs(
      failsWhile(() => false),
      identity,
      x,
    ).inputs,
  ).toBe(x);
});

test("axes of one name, of one length, or alone", () => {
  const inputs = [normal("a", 2, 3), normal("b", 3, 4)];
  expect(axisGroups(inputs, "(m,n),(n,p)->(m,p)")).toEqual([
    [{ input: 0, axis: 0 }],
    [
      { input: 0, axis: 1 },
      { input: 1, axis: 0 },
    ],
    [{ input: 1, axis: 1 }],
  ]);
  expect(axisGroups(inputs)[1]).toEqual([
    { input: 0, axis: 1 },
    { input: 1, axis: 0 },
  ]);
  expect(namedAxes("(),(n)->(n)")).toEqual([[], ["n"]]);
  expect(() => namedAxes("m,n")).toThrow(/E_VALUE.*expected a signature/);
  expect(keptSlices(3)).toEqual([[0], [1], [2], [0, 1], [2], [1, 2], [0, 2], [0, 1]]);
});

test.each([
  [
    tensor(
      [
        [0.5, -0],
        [1e-300, 3],
      ],
      { dtype: "float64" },
    ),
    'tensor([[0.5, -0], [1e-300, 3]], { dtype: "float64" })',
  ],
  [tensor(2), "tensor(2)"],
  [tensor([1, 2], { dtype: "int32" }), 'tensor([1, 2], { dtype: "int32" })'],
  [tensor([], { shape: [2, 0] }), "tensor([], { shape: [2, 0] })"],
])("a tensor as code that makes it again: %s", (x, literal) => {
  expect(tensorLiteral(x)).toBe(literal);
  const make = new Function("tensor", `return ${literal}`) as (of: typeof tensor) => Tensor;
  const again = make(tensor);
  expect([again.shape, again.dtype, again.values()]).toEqual([x.shape, x.dtype, x.values()]);
});
