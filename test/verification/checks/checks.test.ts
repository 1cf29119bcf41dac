import { describe, expect, test } from "vitest";
import { defineOp, isRecording, matmul, Tensor, tensor } from "../../../src/autograd/index.js";
import { kernels, NDArray, type Floats } from "../../../src/tensor/index.js";
import type { LawResult, TensorFunction } from "../../../src/testing/index.js";
import { overAxes, eachElement, eachPair } from "../loops.js";
import { checkExact } from "./exact.js";
import { checkFusedGradient } from "./fused-gradient.js";
import { checkKernelSets } from "./kernel-sets.js";
import { checkBinaryPrecision, checkUnaryPrecision, type Precision } from "./precision.js";
import { checkRounding, checkTwin, type RoundingUse } from "./rounding.js";
import { checkUnaliased } from "./unaliased.js";

/** An operation on each element with a value and a rule of one's own. */
const own = (
  value: (x: number, single: boolean) => number,
  rule: (g: Tensor, x: Tensor) => Tensor,
): TensorFunction => {
  const f = defineOp({
    name: "own",
    forward: ([x]) =>
      new NDArray(
        x!.shape,
        x!.dtype,
        (x!.data as Floats).map((v) => value(v, x!.dtype === "float32")),
      ),
    vjp: ({ cotangent, inputs: [x] }) => [rule(cotangent, x!)],
  });
  return (x) => f([x!]);
};

const square = (x: number): number => x * x;
const right = own(square, (g, x) => g.mul(x.mul(2)));

const wholes = tensor(Float64Array.of(-3, 1, 2));
const numbers = tensor(
  Float64Array.from({ length: 60 }, (_, i) => Math.sin(i * i) * 3),
  { shape: [6, 10] },
);
const all: RoundingUse["bound"] = (x) => x!.abs().sum(1).mul(Math.sqrt(10));
const two: Precision = { unit: "ulp", limit: 2 };

const passes = (result: LawResult): void => {
  expect(result.failure).toBeUndefined();
  expect(result.compared).toBeGreaterThan(0);
};
const fails = (result: LawResult, where: RegExp): void => {
  expect(result.passed).toBe(false);
  expect(result.failure?.where).toMatch(where);
};

describe("the naive loop", () => {
  const loop = eachElement(square);
  const exact = (f: TensorFunction): LawResult => checkExact({ f, naive: loop, inputs: [wholes] });

  test("is kept by the right operation", () => passes(exact(right)));

  test.each<[string, TensorFunction, RegExp]>([
    [
      "a value",
      own(
        (x) => x * x + (x === 2 ? 1 : 0),
        (g, x) => g.mul(x.mul(2)),
      ),
      /value in float64, element 2/,
    ],
    [
      "a value in float32",
      own(
        (x, single) => x * x + Number(single),
        (g, x) => g.mul(x.mul(2)),
      ),
      /value in float32/,
    ],
    [
      "one element of the gradient",
      own(square, (g, x) => g.mul(x.mul([2, 2, 2.5]))),
      /gradient of input 0 in float64/,
    ],
    ["the type of the value", (x) => right(x!).cast("float32"), /type of value in float64/],
    ["the shape of the value", (x) => right(x!).unsqueeze(0), /shape and type of value/],
  ])("fails %s", (_, f, where) => fails(exact(f), where));

  test("sees a missing unbroadcast and swapped operands", () => {
    const inputs = [wholes, tensor(Float64Array.of(2))];
    const naive = eachPair((a, b) => a - b);
    passes(checkExact({ f: (a, b) => a!.sub(b!), naive, inputs }));
    fails(checkExact({ f: (a, b) => b!.sub(a!), naive, inputs }), /value/);
    const detached: TensorFunction = (a, b) => a!.sub(b!.detach());
    fails(checkExact({ f: detached, naive, inputs }), /gradient of input 1/);
  });

  test("is no test of nothing: a gradient of zeros is a fault where the loop has a slope", () => {
    const naive = overAxes((list) => list.reduce((a, b) => a + b, 0), undefined);
    fails(checkExact({ f: (x) => x!.detach().sum(), naive, inputs: [wholes] }), /gradient/);
  });
});

describe("precision", () => {
  const offBy = (units: number): TensorFunction =>
    own(
      (x, single) => (single ? x * (1 - units * 2 ** -23) : x),
      (g) => g,
    );

  test("counts units of the last place", () => {
    passes(checkUnaryPrecision(offBy(0), two));
    passes(checkUnaryPrecision(offBy(0.5), two));
    fails(checkUnaryPrecision(offBy(5), two), /^at /);
  });

  test("sees one wrong special value", () => {
    const lost = own(
      (x, single) => (single && x === -Infinity ? -3.4028234663852886e38 : x),
      (g) => g,
    );
    fails(checkUnaryPrecision(lost, two), /^at -Infinity/);
    const nan = own(
      (x, single) => (single && x === 0 ? NaN : x),
      (g) => g,
    );
    fails(checkUnaryPrecision(nan, two), /^at -?0/);
    const sign = own(
      (x, single) => (single && Object.is(x, -0) ? 0 : x),
      (g) => g,
    );
    fails(checkUnaryPrecision(sign, two), /^at 0/);
    const denormal = own(
      (x, single) => (single && Math.abs(x) < 2 ** -126 ? 0 * x : x),
      (g) => g,
    );
    fails(checkUnaryPrecision(denormal, two), /^at /);
  });

  test("of two arguments is taken on pairs", () => {
    passes(checkBinaryPrecision((a, b) => a!.mul(b!), { unit: "ulp", limit: 0.5 }));
    const coarse: TensorFunction = (a, b) => a!.mul(b!.mul(1 + 2 ** -21));
    fails(checkBinaryPrecision(coarse, two), /^at .*, /);
  });
});

describe("rounding", () => {
  test("fails what loses more than √n roundings, or one element", () => {
    const use = (f: TensorFunction): RoundingUse => ({ f, inputs: [numbers], bound: all });
    passes(checkRounding(use((x) => x!.sum(1))));
    const one = tensor([0, 0, 0, 1e-4, 0, 0]);
    fails(checkRounding(use((x) => (x!.dtype === "float32" ? x!.sum(1).add(one) : x!.sum(1)))), /element 3/);
    fails(checkRounding(use((x) => (x!.dtype === "float32" ? x!.sum(1).mul(NaN) : x!.sum(1)))), /element 0/);
  });

  test("of a product is measured against its own terms", () => {
    const b = tensor(
      Float64Array.from({ length: 20 }, (_, i) => Math.cos(i)),
      { shape: [10, 2] },
    );
    const bound: TensorFunction = (x, y) => matmul(x!.abs(), y!.abs()).mul(Math.sqrt(10));
    passes(checkRounding({ f: (x, y) => matmul(x!, y!), inputs: [numbers, b], bound }));
  });
});

describe("a twin", () => {
  const use = (twin: TensorFunction) => ({
    f: (x: Tensor | undefined) => x!.sum(1),
    twin,
    inputs: [numbers],
    bound: all,
  });

  test("passes when it is the same", () => passes(checkTwin(use((x) => x!.mul(2).sum(1).mul(0.5)))));

  test("fails with another value or another gradient", () => {
    fails(checkTwin(use((x) => x!.sum(1).add(1e-3))), /element/);
    fails(
      checkTwin(
        use((x) =>
          x!
            .slice([null, [0, 9]])
            .sum(1)
            .add(x!.detach().slice([null, 9])),
        ),
      ),
      /element/,
    );
  });
});

describe("the sets of kernels", () => {
  const depends = (on: "value" | "gradient"): TensorFunction => {
    const off = (): number => (kernels().name === "reference" ? 0 : 2 ** -23);
    return own(
      (x) => Math.fround(x * (1 + (on === "value" ? off() : 0))),
      (g) => g.mul(1 + (on === "gradient" ? off() : 0)),
    );
  };

  test("agree to the bit, or fail", () => {
    passes(checkKernelSets(right, [numbers]));
    fails(checkKernelSets(depends("value"), [numbers]), /value/);
    fails(checkKernelSets(depends("gradient"), [numbers]), /gradient of input 0/);
    expect(kernels().name).toBe("simd");
  });
});

describe("a fused gradient", () => {
  test("is the composed one, or fails", () => {
    passes(checkFusedGradient((x) => x!.tanh(), [numbers]));
    const wrong = own(square, (g, x) => g.mul(x.mul(isRecording() ? 2 : 2 + 2 ** -20)));
    fails(checkFusedGradient(wrong, [numbers]), /gradient of input 0/);
    fails(checkFusedGradient(wrong, [numbers], 1e-7), /gradient of input 0/);
    passes(checkFusedGradient(wrong, [numbers], 1e-5));
  });
});

describe("memory of the inputs", () => {
  test("is in no result, or the check fails", () => {
    passes(checkUnaliased(right, [numbers]));
    const view: TensorFunction = (x) => new Tensor(NDArray.of(x!.shape, x!.array.data));
    fails(checkUnaliased(view, [numbers]), /value/);
    const handsBack = own(square, (_, x) => x);
    fails(checkUnaliased(handsBack, [numbers]), /gradient 1/);
  });
});
