import { expect, test } from "vitest";
import { tensor } from "../../src/autograd/index.js";
import {
  expectAdjoint,
  expectBatch,
  expectBroadcasting,
  expectCorrectGradients,
  expectFlatMemory,
  expectFloat32Gradients,
  expectLinearPullback,
  expectSameBits,
  expectSecondOrder,
  expectZeroCotangent,
  type LawResult,
  type TensorFunction,
} from "../../src/testing/index.js";
import { square } from "./own-operations.js";

const x = [tensor([0.3, -0.7, 1.1], { dtype: "float64" })];
const right = square((g, v) => g.scale(v.mul(2)));
let calls = 0;

/** Every law with a rule that breaks it, and nothing else if possible. */
const broken: readonly [name: string, law: (f: TensorFunction) => LawResult, f: TensorFunction][] = [
  ["expectCorrectGradients", (f) => expectCorrectGradients(f, x), square((g, v) => g.scale(v.mul(2.00001)))],
  [
    "expectCorrectGradients (one element)",
    (f) => expectCorrectGradients(f, x),
    square((g, v) => g.scale(v.mul([2, 2, 2.00001]))),
  ],
  ["expectAdjoint", (f) => expectAdjoint(f, x), square((g, v) => g.scale(v.mul(-2)))],
  ["expectSecondOrder", (f) => expectSecondOrder(f, x), square((g, v) => g.scale(v.detach().mul(2)))],
  [
    "expectFloat32Gradients",
    (f) => expectFloat32Gradients(f, x),
    square((g, v) => g.scale(v.mul(g.dtype === "float32" ? 2.000002 : 2))),
  ],
  ["expectZeroCotangent", (f) => expectZeroCotangent(f, x), square((g, v) => g.scale(v.mul(2)).add(1e-300))],
  ["expectLinearPullback", (f) => expectLinearPullback(f, x), square((g, v) => g.square().scale(v.mul(2)))],
  ["expectSameBits", (f) => expectSameBits(f, x), square((g, v) => g.scale(v.mul(2 + 1e-12 * calls++)))],
];

test.each(broken)("%s fails a rule that breaks it, and passes the right one", (_, law, f) => {
  expect(() => law(f)).toThrow(/E_LAW/);
  const { passed, compared, worst, tolerance } = law(right);
  expect(passed).toBe(true);
  expect(compared).toBeGreaterThan(0);
  expect(worst).toBeLessThanOrEqual(tolerance);
});

test("expectBroadcasting fails an operation that sees what was broadcast", () => {
  const pair = [x[0]!, tensor([[1], [2]], { dtype: "float64" })];
  const sees: TensorFunction = (a, b) => (a!.rank === b!.rank ? a!.add(b!) : a!.add(b!.mul(1 + 1e-12)));
  expect(() => expectBroadcasting(sees, pair)).toThrow(/E_LAW/);
  expectBroadcasting((a, b) => a!.add(b!), pair);
});

test("expectBatch fails an operation that looks across the batch", () => {
  const batch = [x, x.map((v) => v.mul(2))];
  expect(() => expectBatch((v) => v!.sub(v!.mean()), batch)).toThrow(/E_LAW/);
  expectBatch((v) => v!.sub(v!.mean(-1, { keepDims: true })), batch);
});

test("expectFlatMemory fails what keeps something of every step", () => {
  const kept: Float64Array[] = [];
  expect(() => expectFlatMemory(() => void kept.push(new Float64Array(200)))).toThrow(/E_LAW/);
  expectFlatMemory(() => void new Float64Array(200).fill(1));
});
