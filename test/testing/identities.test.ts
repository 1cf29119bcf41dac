import { describe, expect, test } from "vitest";
import { defineOp, tensor, type Tensor } from "../../src/autograd/index.js";
import { attention, GRU, GRUCell, LayerNorm, Linear, MultiHeadAttention } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { kernels, NDArray, type Floats } from "../../src/tensor/index.js";
import {
  checkCausality,
  checkEquivariance,
  checkPositiveSemidefinite,
  checkPreservedFunctionals,
  checkProjector,
  checkSameBits,
  checkSameFunction,
  checkTraceDecrease,
  eliminatePivot,
  expectCausality,
  expectSameFunction,
  LawError,
  type LawResult,
  type TensorFunction,
} from "../../src/testing/index.js";
import { normal } from "./own-operations.js";

const rng = generator("identities");

function expectBroken(result: LawResult, what: RegExp): void {
  expect(result.passed).toBe(false);
  expect(result.worst).toBeGreaterThan(result.tolerance);
  expect(result.failure!.where).toMatch(what);
}

function expectKept(result: LawResult): void {
  expect(result.failure).toBeUndefined();
  expect(result.passed).toBe(true);
  expect(result.compared).toBeGreaterThan(0);
}

/** One head over tokens `[batch, time, features]`. */
function attend(x: Tensor, options: { causal?: boolean } = {}): Tensor {
  const v = x.unsqueeze(1);
  return attention(v, v, v, options).squeeze(1);
}

function messageOf(f: () => unknown): string {
  try {
    f();
  } catch (error) {
    expect(error).toBeInstanceOf(LawError);
    return (error as Error).message;
  }
  throw new Error("the law held");
}

describe("SameFunction", () => {
  const cell = new GRUCell(2, 3, { rng }).to("float64");
  const gates = (x: Tensor, h: Tensor): [Tensor[], Tensor[]] => [
    x.matmul(cell.weight_ih.transpose()).add(cell.bias_ih!).split(3, -1),
    h.matmul(cell.weight_hh.transpose()).add(cell.bias_hh!).split(3, -1),
  ];
  /** The formula of PyTorch, or with the reset gate before the product as in the paper. */
  const formula =
    (resetAfter: boolean): TensorFunction =>
    (x, h) => {
      const [[xr, xz, xn], [hr, hz, hn]] = gates(x!, h!);
      const [r, z] = [xr!.add(hr!).sigmoid(), xz!.add(hz!).sigmoid()];
      const before = r
        .mul(h!)
        .matmul(cell.weight_hh.slice([[6, 9]]).transpose())
        .add(cell.bias_hh!.slice([[6, 9]]));
      const n = xn!.add(resetAfter ? r.mul(hn!) : before).tanh();
      return n.mul(z.neg().add(1)).add(z.mul(h!));
    };
  const inputs = [normal("x", 4, 2), normal("h", 4, 3)];

  test("a GRU cell is the engineer's formula, with the gradient of every parameter", () => {
    const result = expectSameFunction(cell, inputs, { twin: formula(true) });
    const sizes = [cell.weight_ih, cell.weight_hh, cell.bias_ih!, cell.bias_hh!, ...inputs];
    expect(result.parts.map(({ name }) => name)).toEqual(["values", "gradients"]);
    expect(result.compared).toBe(4 * 3 + sizes.reduce((sum, { size }) => sum + size, 0));
  });

  test("a GRU with its reset gate elsewhere is not, and is shown at one element of the batch", () => {
    const message = messageOf(() => expectSameFunction(cell, inputs, { twin: formula(false) }));
    expect(message.split("\n").length).toBeLessThanOrEqual(15);
    expect(message).toMatch(/SameFunction does not hold: value, element \[0, \d\]/);
    expect(message).toMatch(
      /expectSameFunction\(module, \[tensor\(\[\[[^\]]*\]\], [^)]*\), tensor\(\[\[[^\]]*\]\], [^)]*\)\], options\)/,
    );
  });

  test("gradients count as well as values", () => {
    const twin: TensorFunction = (x) => x!.mul(x!);
    expectKept(checkSameFunction((x) => x!.square(), [normal("x", 3)], { twin }));
    expectBroken(
      checkSameFunction((x) => x!.mul(x!.detach()), [normal("x", 3)], { twin }),
      /gradient of input 0/,
    );
  });

  test("modules are compared parameter by parameter, by name", () => {
    const one = new Linear(3, 2, { rng });
    const other = new Linear(3, 2, { rng }).loadStateDict(one.stateDict());
    expectKept(checkSameFunction(one, [normal("x", 4, 3).cast("float32")], { twin: other }));
    const third = new Linear(3, 2, { rng });
    expectBroken(checkSameFunction(one, [normal("x", 4, 3).cast("float32")], { twin: third }), /value/);
  });
});

describe("PreservedFunctionals", () => {
  const x = normal("x", 4, 3);
  const functionals = {
    mean: (v: Tensor) => v.mean(),
    first: tensor(
      Array.from({ length: 12 }, (_, i) => i),
      { dtype: "float64", shape: [4, 3] },
    ),
  };
  const drop = x.mul(0).add([[1, -2, 1]]);
  test("passes what changes in the complement only", () => {
    expectKept(checkPreservedFunctionals((v) => v!.add(drop), [x], { functionals }));
  });
  test("fails what moves one of them", () => {
    expectBroken(
      checkPreservedFunctionals((v) => v!.flip(0), [x], { functionals }),
      /functional 'first'/,
    );
    expectBroken(
      checkPreservedFunctionals((v) => v!.add(1e-9), [x], { functionals }),
      /functional '(mean|first)'/,
    );
  });
});

describe("TraceDecrease", () => {
  const factor = normal("factor", 6, 4);
  const residual = factor.matmul(factor.transpose());
  const draw = (r: Tensor, from: typeof rng): number => {
    const diagonal = Array.from({ length: 6 }, (_, i) => r.values()[7 * i]!);
    let left = from.uniform() * diagonal.reduce((a, b) => a + b, 0);
    return Math.max(
      0,
      diagonal.findIndex((share) => (left -= share) < 0),
    );
  };
  test("passes randomly pivoted Cholesky, in expectation and drawn", () => {
    const result = checkTraceDecrease(eliminatePivot, residual, { draw, steps: 3 });
    expectKept(result);
    expect(result.parts.map(({ name }) => name)).toEqual([
      "probabilities",
      "exact expectation",
      "sampled mean",
    ]);
  });
  test("fails other probabilities, an elimination that leaves some, and a draw from another law", () => {
    expectBroken(
      checkTraceDecrease(eliminatePivot, residual, { probabilities: () => Array<number>(6).fill(1 / 6) }),
      /expected trace/,
    );
    expectBroken(
      checkTraceDecrease((r, p) => r.add(eliminatePivot(r, p)).mul(0.5), residual),
      /expected trace after step 1/,
    );
    expectBroken(
      checkTraceDecrease(eliminatePivot, residual, { draw: (_, from) => from.integer(0, 6) }),
      /mean trace over 2000/,
    );
    expectBroken(
      checkTraceDecrease(eliminatePivot, residual, { probabilities: () => [0.5, 0, 0, 0, 0, 0] }),
      /expected trace|probabilities/,
    );
  });
  test("a bound from above is not broken by less", () => {
    const claim = (): number => 1e3;
    expectKept(checkTraceDecrease(eliminatePivot, residual, { claim, relation: "at most" }));
    expectBroken(checkTraceDecrease(eliminatePivot, residual, { claim }), /expected trace/);
  });
});

describe("Projector", () => {
  const x = normal("x", 2, 3);
  test("passes an orthogonal projector", () => {
    expectKept(checkProjector((v) => v!.sub(v!.mean(-1, { keepDims: true })), [x]));
  });
  test("fails one that is not symmetric, unless it may be oblique; one that is no projector; one that is not linear", () => {
    const oblique: TensorFunction = (v) => v!.mul(0).add(v!.slice([null, [0, 1]]));
    expectBroken(checkProjector(oblique, [x]), /Pᵀ = P/);
    expectKept(checkProjector(oblique, [x], { orthogonal: false }));
    expectBroken(
      checkProjector((v) => v!.mul(0.5), [x]),
      /P·P = P/,
    );
    expectBroken(
      checkProjector((v) => v!.relu(), [x]),
      /f\(x\) = P·x/,
    );
  });
});

describe("PositiveSemidefinite", () => {
  test("passes a Gram matrix, each of a batch", () => {
    expectKept(checkPositiveSemidefinite((v) => v!.matmul(v!.transpose()), [normal("x", 2, 4, 2)]));
  });
  test("fails a negative eigenvalue, and a matrix that is not symmetric", () => {
    const gram: TensorFunction = (v) => v!.matmul(v!.transpose());
    const minus = tensor(
      [
        [1e-6, 0],
        [0, 1e-6],
      ],
      { dtype: "float64" },
    );
    expectBroken(
      checkPositiveSemidefinite((v) => gram(v!).sub(minus), [tensor([[1], [2]], { dtype: "float64" })]),
      /least eigenvalue/,
    );
    expectBroken(
      checkPositiveSemidefinite((v) => gram(v!).tril(), [normal("x", 3, 2)]),
      /the matrix/,
    );
  });
});

describe("Equivariance", () => {
  const x = normal("x", 2, 4, 3);
  const flipped = { transform: (v: Tensor) => [v.flip(1)], result: (y: Tensor) => y.flip(1) };
  test("passes attention, which does not know the order of tokens, and fails one that does", () => {
    expectKept(checkEquivariance((v) => attend(v!), [x], flipped));
    expectBroken(
      checkEquivariance((v) => attend(v!, { causal: true }), [x], flipped),
      /value/,
    );
  });
  test("is invariance when the result is to stay, to the bit when asked for", () => {
    const { transform } = flipped;
    expectKept(checkEquivariance((v) => v!.max(), [x], { transform, tolerance: 0 }));
    expectBroken(
      checkEquivariance((v) => v!.cumsum(1).sum(1), [x], { transform, tolerance: 0 }),
      /value/,
    );
  });
});

describe("Causality", () => {
  const x = normal("x", 2, 4, 3);
  test("passes causal attention, a GRU and what works on each time alone", () => {
    expectKept(checkCausality((v) => attend(v!, { causal: true }), [x]));
    expectKept(
      checkCausality((v) => new GRU(3, 2, { rng: generator("gru") }).to("float64").forward(v!).output, [x]),
    );
    expectKept(checkCausality(new LayerNorm(3).to("float64"), [x]));
  });
  test("fails attention that peeks, with the smallest series", () => {
    const heads = new MultiHeadAttention(4, 2, { rng }).to("float64");
    const message = messageOf(() => expectCausality((v) => heads.forward(v!), [normal("tokens", 2, 5, 4)]));
    expect(message).toMatch(/Causality does not hold: result up to time 0, when later inputs become/);
    expect(message.split("\n").length).toBeLessThanOrEqual(15);
    expect(message).toMatch(/expectCausality\(f, \[tensor\(\[\[\[[-\d., ]*\], \[[-\d., ]*\]\]\]/);
  });
  test("fails what multiplies the future by 0, and what lets a gradient through", () => {
    const zeroTimes: TensorFunction = (v) => v!.add(v!.flip(1).mul(0));
    expectBroken(checkCausality(zeroTimes, [x]), /later inputs become (NaN|infinity)/);
    const leak = defineOp({
      name: "leak",
      forward: ([v]) => new NDArray(v!.shape, v!.dtype, (v!.data as Floats).slice()),
      vjp: ({ cotangent }) => [cotangent.add(cotangent.flip(1))],
    });
    expectBroken(
      checkCausality((v) => leak([v!]), [x]),
      /gradient of input 0 after time/,
    );
  });
});

describe("SameBits compares the sets of kernels", () => {
  test("and leaves the one in use as it was", () => {
    const before = kernels().name;
    const result = checkSameBits((v) => v!.exp().matmul(v!.transpose()), [normal("x", 5, 7)]);
    expectKept(result);
    expect(result.parts.map(({ name }) => name)).toEqual(["equal bits", "kernels"]);
    expectBroken(
      checkSameBits(
        (v) => (v!.dtype === "float32" && kernels().name === "reference" ? v!.mul(1.0000001) : v!.mul(1)),
        [normal("x", 3)],
      ),
      /float32 value/,
    );
    expect(kernels().name).toBe(before);
  });
});
