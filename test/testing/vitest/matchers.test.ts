import { expect, test } from "vitest";
import "../../../src/testing/vitest/index.js";
import { matchers } from "../../../src/testing/vitest/index.js";
import { concat, tensor, type Tensor } from "../../../src/autograd/index.js";
import * as kit from "../../../src/testing/index.js";
import { square } from "../own-operations.js";

const x = [tensor([0.3, -0.7, 1.1], { dtype: "float64" })];
const pair = [tensor([[1], [2]], { dtype: "float64" }), x[0]!];
const right = square((g, v) => g.scale(v.mul(2)));
const kept: Float64Array[] = [];
let calls = 0;
const residual = tensor(
  [
    [2, 1],
    [1, 3],
  ],
  { dtype: "float64" },
);

/** R − R·e·eᵀ·R/R_pp: one step of pivoted Cholesky. */
function eliminated(r: Tensor, pivot: number): Tensor {
  const column = r.slice([null, [pivot, pivot + 1]]);
  return r.sub(column.matmul(column, { transposeB: true }).div(r.slice([pivot, pivot])));
}

/** Each matcher on a subject that keeps its law, and on one that breaks it. */
const uses: Record<keyof typeof matchers, readonly [keeps: () => void, breaks: () => void]> = {
  toHaveCorrectGradients: [
    () => expect(right).toHaveCorrectGradients(x),
    () => expect(square((g, v) => g.scale(v))).toHaveCorrectGradients(x),
  ],
  toBeAdjoint: [
    () => expect(right).toBeAdjoint(x),
    () => expect(square((g, v) => g.scale(v.mul(-2)))).toBeAdjoint(x),
  ],
  toHaveSecondOrder: [
    () => expect(right).toHaveSecondOrder(x),
    () => expect(square((g, v) => g.scale(v.detach().mul(2)))).toHaveSecondOrder(x),
  ],
  toHaveLinearPullback: [
    () => expect(right).toHaveLinearPullback(x),
    () => expect(square((g, v) => g.square().scale(v))).toHaveLinearPullback(x),
  ],
  toHaveZeroCotangent: [
    () => expect(right).toHaveZeroCotangent(x),
    () => expect(square((g, v) => g.scale(v).add(1e-300))).toHaveZeroCotangent(x),
  ],
  toBroadcast: [
    () => expect((a: Tensor, b: Tensor) => a.add(b)).toBroadcast(pair),
    () =>
      expect((a: Tensor, b: Tensor) => (a.rank === b.rank ? a.add(b) : a.add(b.mul(1 + 1e-12)))).toBroadcast(
        pair,
      ),
  ],
  toBatch: [
    () => expect((v: Tensor) => v.softmax()).toBatch([x, x]),
    () => expect((v: Tensor) => v.sub(v.mean())).toBatch([x, x.map((v) => v.mul(2))]),
  ],
  toHaveSameBits: [
    () => expect(right).toHaveSameBits(x),
    () => expect(square((g, v) => g.scale(v.mul(2 + 1e-12 * calls++)))).toHaveSameBits(x),
  ],
  toHaveEqualBits: [
    () => expect(x[0]).toHaveEqualBits(x[0]!),
    () => expect(concat([x[0]!, x[0]!])).toHaveEqualBits(x[0]!),
  ],
  toHaveFloat32Gradients: [
    () => expect(right).toHaveFloat32Gradients(x),
    () =>
      expect(square((g, v) => g.scale(v.mul(g.dtype === "float32" ? 2.000002 : 2)))).toHaveFloat32Gradients(
        x,
      ),
  ],
  toHaveFlatMemory: [
    () => expect(() => new Float64Array(200).fill(1)).toHaveFlatMemory(),
    () => expect(() => kept.push(new Float64Array(200))).toHaveFlatMemory(),
  ],
  toBeSameFunction: [
    () => expect(right).toBeSameFunction(x, { twin: (v: Tensor) => v.mul(v) }),
    () => expect(right).toBeSameFunction(x, { twin: (v: Tensor) => v.mul(v).mul(1.001) }),
  ],
  toPreserveFunctionals: [
    () => expect((v: Tensor) => v.flip()).toPreserveFunctionals(x, { functionals: { sum: (v) => v.sum() } }),
    () => expect((v: Tensor) => v.mul(2)).toPreserveFunctionals(x, { functionals: { sum: (v) => v.sum() } }),
  ],
  toBeProjector: [
    () => expect((v: Tensor) => v.sub(v.mean())).toBeProjector(x),
    () => expect((v: Tensor) => v.mul(0.5)).toBeProjector(x),
  ],
  toBePositiveSemidefinite: [
    () => expect((v: Tensor) => v.unsqueeze(1).matmul(v.unsqueeze(0))).toBePositiveSemidefinite(x),
    () => expect((v: Tensor) => v.unsqueeze(1).matmul(v.unsqueeze(0)).neg()).toBePositiveSemidefinite(x),
  ],
  toBeEquivariant: [
    () =>
      expect((v: Tensor) => v.tanh()).toBeEquivariant(x, {
        transform: (v) => [v.flip()],
        result: (y) => y.flip(),
      }),
    () =>
      expect((v: Tensor) => v.cumsum(0)).toBeEquivariant(x, {
        transform: (v) => [v.flip()],
        result: (y) => y.flip(),
      }),
  ],
  toBeCausal: [
    () => expect((v: Tensor) => v.cumsum(0)).toBeCausal(x, { axis: 0 }),
    () => expect((v: Tensor) => v.sub(v.mean())).toBeCausal(x, { axis: 0 }),
  ],
  toDecreaseTrace: [
    () => expect(eliminated).toDecreaseTrace(residual),
    () => expect((r: Tensor) => r).toDecreaseTrace(residual),
  ],
};

test.each(Object.entries(uses))(
  "%s passes what keeps its law and fails what breaks it",
  (_, [keeps, breaks]) => {
    keeps();
    expect(breaks).toThrow(kit.LawError);
  },
);

test("every law of the kit has a matcher", () => {
  const laws = Object.keys(kit).filter((name) => name.startsWith("check"));
  expect(Object.keys(matchers)).toHaveLength(laws.length);
});

test("not turns a matcher round, and says what was found", () => {
  expect(square((g) => g)).not.toHaveCorrectGradients(x);
  expect(() => expect(right).not.toHaveCorrectGradients(x)).toThrow(
    /expected CorrectGradients not to hold, but it does: \d+ numbers, largest error/,
  );
});

test("a failure says what the law says, in at most 15 lines", () => {
  const message = (run: () => void): string => {
    try {
      run();
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  const wrong = square((g, v) => g.scale(v));
  expect(message(() => expect(wrong).toHaveCorrectGradients(x))).toBe(
    message(() => kit.expectCorrectGradients(wrong, x)),
  );
});

test("options are those of the law", () => {
  const nearly = square((g, v) => g.scale(v.mul(2.00001)));
  expect(nearly).toHaveCorrectGradients(x, { tolerance: 1e-3 });
  expect(nearly).not.toHaveCorrectGradients(x);
});
