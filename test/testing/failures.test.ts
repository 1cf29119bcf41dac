import { describe, expect, test } from "vitest";
import { einsum, tensor, type Tensor } from "../../src/autograd/index.js";
import { GRUCell, Linear, Sequential } from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import {
  expectCorrectGradients,
  LawError,
  type CorrectGradientsOptions,
  type LawFailure,
  type Subject,
  type TensorFunction,
} from "../../src/testing/index.js";
import { normal, product, square } from "./own-operations.js";

/** The failure of a law that must not hold; its message keeps to 15 lines. */
function failureOf(
  subject: Subject,
  inputs: readonly Tensor[],
  options?: CorrectGradientsOptions,
): LawFailure & { message: string } {
  try {
    expectCorrectGradients(subject, inputs, options);
  } catch (error) {
    expect(error).toBeInstanceOf(LawError);
    const { message, result } = error as LawError;
    expect(message.split("\n").length).toBeLessThanOrEqual(15);
    expect(message).toMatch(/^E_LAW: CorrectGradients does not hold: /);
    return { ...result.failure!, message };
  }
  throw new Error("the law held");
}

const right = (g: Tensor, a: Tensor, b: Tensor): Tensor[] => [
  g.matmul(b.transpose()),
  a.transpose().matmul(g),
];

describe("a wrong rule is named, explained and made small", () => {
  const x = normal("x", 3, 4);
  const squares: readonly [name: string, rule: Parameters<typeof square>[0], hint: RegExp][] = [
    ["a factor 2", (g, v) => g.scale(v.mul(4)), /found = 2 × expected: a factor 2/],
    ["a missing fan-out term", (g, v) => g.scale(v), /found = 0.5 × expected: a term is missing.*fan-out/],
    ["a sign", (g, v) => g.scale(v.mul(-2)), /found = -1 × expected: a sign/],
    ["a constant factor", (g, v) => g.scale(v.mul(2.6)), /found = 1.3 × expected: one constant factor/],
    ["no cotangent", () => undefined, /0 everywhere: detached/],
    ["NaN", (g, v) => g.scale(v.mul(NaN)), /NaN where a finite number is right/],
    ["a small error", (g, v) => g.scale(v.mul(2 + 1e-6)), /nearly right/],
  ];
  test.each(squares)("%s", (name, rule, hint) => {
    const f = square(rule);
    const failure = failureOf((v) => f(v!.tanh()).exp(), [x]);
    expect(failure.hint).toMatch(hint);
    expect(failure.message).toContain(failure.hint!.slice(0, 60));
    expect(failure.firstOperation).toMatchObject({ name: "mySquare", at: 1 });
    const smallest = name === "NaN" ? 0 : 1;
    expect(failure.replay).toBe(`expectCorrectGradients(f, [tensor([[${smallest}]], { dtype: "float64" })])`);
  });

  test("a stale saved value: the output for the input", () => {
    const f = square((g, _, y) => g.scale(y.mul(2)));
    const failure = failureOf((v) => f(v!.mul(3)).sum(), [x]);
    expect(failure.firstOperation).toMatchObject({ name: "mySquare" });
    expect(failure.replay).toBe('expectCorrectGradients(f, [tensor([[1]], { dtype: "float64" })])');
  });

  test("a transposed operand", () => {
    const f = product((g, a, b) => [g.matmul(b), a.transpose().matmul(g)]);
    const { hint, firstOperation, message } = failureOf(
      (a, b) => f(a!, b!).tanh(),
      [normal("a", 3, 3), normal("b", 3, 3)],
    );
    expect(hint).toMatch(/transposed: .*axis 1 of the result and axis 1 of the input in the Jacobian/);
    expect(firstOperation).toMatchObject({ name: "myProduct", where: expect.stringContaining("input 0") });
    expect(message.match(/tensor\(/g)).toHaveLength(2);
  });

  test("swapped operands", () => {
    const f = product((g, a, b) => right(g, a, b).toReversed());
    const { hint } = failureOf((a, b) => f(a!, b!), [normal("a", 2, 2), normal("b", 2, 2)]);
    expect(hint).toMatch(/what is found for input \d is right here: two operands are swapped/);
  });

  test("the cotangent of a sum that was averaged, and the mean that was not", () => {
    const f: TensorFunction = (v) => v!.mean(0).add(v!.detach().sum(0).sub(v!.detach().mean(0)));
    expect(failureOf(f, [x]).hint).toMatch(/found = 0.333333 × expected, 1 over the size of axis 0/);
    const h: TensorFunction = (v) => v!.sum(0).add(v!.detach().mean(0).sub(v!.detach().sum(0)));
    expect(failureOf(h, [x]).hint).toMatch(/found = 3 × expected, the size of axis 0/);
  });

  test("a term that is summed along an axis", () => {
    const f: TensorFunction = (v) =>
      v!
        .exp()
        .log()
        .sub(v!.logsumexp(-1, { keepDims: true }).detach());
    const { hint } = failureOf((v) => f(v!).mul(tensor([1, 2, 3, 4], { dtype: "float64" })), [x]);
    expect(hint).toBeDefined();
  });

  test("gates in another order, and a transposed block", () => {
    const order =
      (blocks: readonly number[]): TensorFunction =>
      (w) =>
        square((g, v) => {
          const parts = g.scale(v.mul(2)).split(3);
          return blocks.map((at) => parts[at]!).reduce((a, b) => joinRows(a, b));
        })(w!);
    expect(failureOf(order([1, 0, 2]), [normal("w", 6, 4)]).hint).toMatch(
      /3 blocks along axis 0 are right but in another order, \[1, 0, 2\]: permuted gates/,
    );
    const turned = square((g, v) => {
      const [r, z, n] = g.scale(v.mul(2)).split(3) as [Tensor, Tensor, Tensor];
      return joinRows(joinRows(r, z.transpose()), n);
    });
    expect(failureOf((w) => turned(w!), [normal("w", 9, 3)]).hint).toBe(
      "block 1 of the 3 along axis 0 is transposed",
    );
  });

  test("the line of the caller's code", () => {
    const f = square((g, v) => g.scale(v));
    const model: TensorFunction = (v) => f(v!.sin());
    const { firstOperation } = failureOf(model, [x]);
    const here = new Error().stack!.split("\n")[1]!;
    expect(firstOperation!.source!.file).toMatch(/own-operations\.ts$/);
    expect(here).toContain("failures.test.ts");
  });
});

test("when every operation is right, the message says to look between them", () => {
  const { firstOperation, hint, message } = failureOf((v) => v!.mul(v!.detach()), [normal("x", 3)]);
  expect(firstOperation).toBeNull();
  expect(hint).toMatch(/fan-out/);
  expect(message).toContain("every operation keeps the law on its own");
});

test("a parameter of a module is named, with the operation at fault in it", () => {
  const rng = generator("model");
  const wrong = square((g, v) => g.scale(v));
  const model = new Sequential([
    new Linear(4, 3, { rng: rng.stream("first") }),
    (v) => wrong(v),
    new Linear(3, 2, { rng: rng.stream("second") }),
  ]);
  const before = model.stateDict();
  const failure = failureOf(model, [normal("x", 3, 4)]);
  expect(failure.where).toMatch(/gradient of (input 0|0\.weight|0\.bias)/);
  expect(failure.firstOperation).toMatchObject({ name: "mySquare" });
  expect(failure.replay).toMatch(/^expectCorrectGradients\(module, \[tensor\(\[\[[^\]]*\]\]/);
  for (const [name, value] of Object.entries(model.stateDict()))
    expect(value.values()).toEqual(before[name]!.values());
  expectCorrectGradients(new GRUCell(2, 3, { rng }), [normal("x", 2, 2), normal("h", 2, 3)]);
});

test("a function that uses a module has it checked when it is named", () => {
  const layer = new Linear(3, 2, { rng: generator("layer") });
  const f: TensorFunction = (v) => layer.forward(v!).add(layer.bias!.detach());
  expectCorrectGradients(f, [normal("x", 2, 3)]);
  const failure = failureOf(f, [normal("x", 2, 3)], { module: layer });
  expect(failure.where).toBe("gradient of bias");
});

test("kinks are counted and not compared; nothing but kinks fails", () => {
  const { kinks, compared } = expectCorrectGradients((v) => v!.relu(), [tensor([0, 1, -2])]);
  expect(kinks).toBeGreaterThan(0);
  expect(compared).toBeGreaterThan(kinks);
  expect(failureOf((v) => v!.relu(), [tensor([0, 0])]).message).toContain("lies on a kink");
  expect(failureOf((v) => v!.max(), [tensor([2, 2])]).message).toContain("lies on a kink");
  // Near a kink, but not on it, closer differences decide.
  expect(expectCorrectGradients((v) => v!.relu(), [tensor([1e-4], { dtype: "float64" })]).kinks).toBe(0);
  expect(
    failureOf((v) => v!.relu().mul(2).sub(v!.relu().detach()), [tensor([1e-4], { dtype: "float64" })]).where,
  ).toBe("gradient of input 0");
});

test("named axes are shortened together", () => {
  const wrong = product((g, a, b) => [g.matmul(b.transpose()).mul(2), right(g, a, b)[1]!]);
  const { replay } = failureOf((a, b) => wrong(a!, b!), [normal("a", 4, 5), normal("b", 5, 4)], {
    signature: "(m,n),(n,p)->(m,p)",
  });
  expect(replay).toBe(
    'expectCorrectGradients(f, [tensor([[0]], { dtype: "float64" }), tensor([[1]], { dtype: "float64" })], options)',
  );
});

test("axes of equal length are tried together where they must be equal", () => {
  const wrong = square((g, v) => g.scale(v));
  const { replay } = failureOf(
    (a, b) => wrong(einsum("ij,jk->ik", a!, b!)),
    [normal("a", 3, 3), normal("b", 3, 3)],
  );
  expect(replay!.match(/\[\[/g)).toHaveLength(2);
  expect(replay).toBe(
    'expectCorrectGradients(f, [tensor([[1]], { dtype: "float64" }), tensor([[1]], { dtype: "float64" })])',
  );
});

test("inputs that make the function throw are not taken", () => {
  const wrong = square((g, v) => g.scale(v));
  const f: TensorFunction = (v) => {
    if (v!.shape[0]! < 2) throw new RangeError("too short");
    return wrong(v!);
  };
  expect(failureOf(f, [normal("x", 5)]).replay).toMatch(/\(f, \[tensor\(\[[^,]*, [^,]*\], /);
});

function joinRows(a: Tensor, b: Tensor): Tensor {
  return a
    .pad([
      [0, b.shape[0]!],
      [0, 0],
    ])
    .add(
      b.pad([
        [a.shape[0]!, 0],
        [0, 0],
      ]),
    );
}
