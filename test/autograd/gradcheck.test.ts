import { describe, expect, test } from "vitest";
import { defineOp, gradcheck, hvp, tensor, type Tensor, type TensorLike } from "../../src/autograd/index.js";
import { NDArray } from "../../src/tensor/index.js";

/** x³ with a rule that may be wrong. */
const cube = (vjp: (g: Tensor, x: Tensor) => Tensor) =>
  defineOp({
    name: "cube",
    forward: ([x]) => new NDArray(x!.shape, x!.dtype, x!.data.map((v) => v ** 3) as Float64Array),
    vjp: ({ cotangent, inputs: [x] }) => [vjp(cotangent, x!)],
  });

const x = tensor([0.5, -1, 2]);

describe("gradcheck", () => {
  test("passes a right rule, to high accuracy", () => {
    const result = gradcheck((v) => cube((g, a) => g.mul(a.square()).mul(3))([v!]), [x]);
    expect(result.passed).toBe(true);
    expect(result.worst).toBeLessThan(1e-10);
  });

  test.each<[string, (g: Tensor, x: Tensor) => Tensor]>([
    ["a factor of two", (g, a) => g.mul(a.square()).mul(6)],
    ["a sign", (g, a) => g.mul(a.square()).mul(-3)],
    ["a forgotten cotangent", (_, a) => a.square().mul(3)],
    ["a stale value", (g, a) => g.mul(a).mul(3)],
    [
      "one element",
      (g, a) =>
        g
          .mul(a.square())
          .mul(3)
          .mul(tensor([1, 1, 1.000001], { dtype: "float64" })),
    ],
    ["NaN", (g) => g.mul(NaN)],
    [
      "NaN in the first element only",
      (g, a) =>
        g
          .mul(a.square())
          .mul(3)
          .mul(tensor([NaN, 1, 1])),
    ],
  ])("fails %s", (_, rule) => {
    const f = (v: Tensor | undefined): Tensor => cube(rule)([v!]);
    expect(() => gradcheck(f, [x])).toThrow(/E_GRADCHECK.*input 0 of shape \[3\], element \[\d\]/s);
    const result = gradcheck(f, [x], { throws: false });
    expect(result.passed).toBe(false);
    expect(result.input).toBe(0);
  });

  test("names the worst input and element", () => {
    const f = defineOp({
      name: "product",
      forward: ([a, b]) =>
        new NDArray(a!.shape, a!.dtype, a!.data.map((v, i) => v * b!.data[i]!) as Float64Array),
      vjp: ({ cotangent: g, inputs: [a, b] }) => [
        g.mul(b!),
        g.mul(a!).add(
          tensor(
            [
              [0, 0],
              [0.01, 0],
            ],
            { dtype: "float64" },
          ),
        ),
      ],
    });
    const square = tensor([
      [1, 2],
      [3, 4],
    ]);
    const result = gradcheck((a, b) => f([a!, b!]), [square, square], { throws: false });
    expect(result).toMatchObject({ passed: false, input: 1, element: [1, 0] });
  });

  test("NaN in one input is not forgotten over the next", () => {
    const f = defineOp({
      name: "sum of two",
      forward: ([a, b]) =>
        new NDArray(a!.shape, a!.dtype, a!.data.map((v, i) => v + b!.data[i]!) as Float64Array),
      vjp: ({ cotangent: g }) => [g.mul(NaN), g],
    });
    expect(() => gradcheck((a, b) => f([a!, b!]), [x, x])).toThrow(/E_GRADCHECK.*input 0/s);
  });

  test("refuses a function that leaves float64, and takes empty inputs", () => {
    expect(() => gradcheck((v) => v!.cast("float32"), [x])).toThrow(/E_DTYPE.*float64/s);
    expect(gradcheck((v) => v!.exp(), [tensor([])]).passed).toBe(true);
  });
});

describe("defineOp", () => {
  test("checks what forward returns", () => {
    const bad = (forward: () => unknown) =>
      defineOp({ name: "bad", forward: forward as () => NDArray, vjp: () => [undefined] });
    expect(() => bad(() => 3)([x])).toThrow(/E_VALUE.*bad.*NDArray.*number/s);
    expect(() => bad(() => new NDArray([2], "float32", new Float32Array(3)))([x])).toThrow(
      /E_SHAPE.*bad.*\[2\].*3/s,
    );
    expect(() => bad(() => new NDArray([3], "float64", new Float32Array(3)))([x])).toThrow(/E_DTYPE.*bad/s);
  });

  test("makes whole numbers that ask for no gradient, whatever they are made of", () => {
    const rounded = defineOp({
      name: "rounded",
      forward: ([a]) => new NDArray(a!.shape, "int32", Int32Array.from(a!.data)),
      vjp: () => [undefined],
    });
    const made = rounded([tensor([1.5, -2.5], { requiresGrad: true })]);
    expect(made.toArray()).toEqual([1, -2]);
    expect(made.requiresGrad).toBe(false);
    expect(made.isLeaf).toBe(true);
  });

  test("takes attributes, plain data as inputs, and differentiates twice", () => {
    const power: (inputs: readonly TensorLike[], attributes: { n: number }) => Tensor = defineOp({
      name: "power",
      forward: ([a], { n }) => new NDArray(a!.shape, a!.dtype, a!.data.map((v) => v ** n) as Float64Array),
      vjp: ({ cotangent: g, inputs: [a], attributes: { n } }) => [
        g.mul(n === 0 ? 0 : power([a!], { n: n - 1 }).mul(n)),
      ],
    });
    expect(power([[1, 2, 3]], { n: 2 }).toArray()).toEqual([1, 4, 9]);
    expect(gradcheck((v) => power([v!], { n: 3 }), [x]).passed).toBe(true);
    const [curved] = hvp((v) => power([v!], { n: 3 }).sum(), [x], [tensor([1, 10, 100])]).product;
    expect(curved!.toArray()).toEqual([3, -60, 1200]);
  });
});
