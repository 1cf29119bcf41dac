import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ones, randomNormal, tensor, zeros } from "../../../src/autograd/index.js";
import {
  Dropout,
  Embedding,
  LayerNorm,
  Linear,
  PositionEmbedding,
  Sequential,
} from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import { expectCorrectGradients, normalLeaf } from "../gradient-law.js";
import { expectNormal, expectUniform } from "../initial-law.js";
import { expectNear, expectSameBits } from "../near.js";
import { constant, expectGradients, leaf, values, withState } from "../oracle/values.js";

const rng = generator("layers");
const dtype = "float64";
const shapeError = (message: RegExp): unknown =>
  expect.objectContaining({ code: "E_SHAPE", message: expect.stringMatching(message) });

describe("Linear", () => {
  it("is x·Wᵀ + b", () => {
    const module = new Linear(2, 3, { rng });
    module.weight.assign(
      tensor([
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
    );
    module.bias!.assign(tensor([10, 20, 30]));
    expect(
      module
        .forward(
          tensor([
            [1, -1],
            [0, 2],
          ]),
        )
        .toArray(),
    ).toEqual([
      [9, 19, 29],
      [14, 28, 42],
    ]);
    expect(module.forward(tensor([1, -1])).toArray()).toEqual([9, 19, 29]);
    expect(module.forward(zeros([0, 4, 2])).shape).toEqual([0, 4, 3]);
  });

  it.each([true, false])("has correct gradients, bias %s", (bias) => {
    const module = new Linear(3, 2, { rng, dtype, bias });
    const x = normalLeaf("x", [2, 2, 3]);
    expectCorrectGradients(() => module.forward(x), [x, ...module.parameters()]);
  });

  it("starts from U(±1/√inputs), weight and bias each", () => {
    const module = new Linear(16, 500, { rng });
    expectUniform(module.weight, 0.25);
    expectUniform(module.bias!, 0.25);
  });

  it("draws the same weight with and without a bias", () => {
    const [first, second] = [true, false].map((bias) => new Linear(3, 2, { rng: generator(1), bias }).weight);
    expect(first!.values()).toEqual(second!.values());
  });

  it("refuses other features", () => {
    expect(() => new Linear(2, 3, { rng }).forward(zeros([4, 3]))).toThrowError(
      shapeError(/2 entries.*\[4, 3\]/),
    );
    expect(() => new Linear(2, 3, { rng }).forward(zeros([]))).toThrowError(shapeError(/got/));
  });
});

describe("Embedding", () => {
  it.each(values.embedding)("agrees with PyTorch, a repeated index adding up", (given) => {
    const module = withState(new Embedding(5, 3, { rng, dtype }), given.state);
    const output = module.forward(tensor(given.indices, { dtype: "int32" }));
    expectNear(output, given.output, 0);
    output.backward(constant(given.cotangent));
    expectGradients({}, module, given.gradients);
  });

  it("has correct gradients", () => {
    const module = new Embedding(4, 2, { rng, dtype });
    const indices = tensor(
      [
        [1, 1],
        [3, 0],
      ],
      { dtype: "int32" },
    );
    expectCorrectGradients(() => module.forward(indices), module.parameters());
  });

  it("starts from N(0, 1)", () => {
    expectNormal(new Embedding(100, 50, { rng }).weight, 1);
  });

  it("refuses an index outside the table, and indices that are not int32", () => {
    const module = new Embedding(4, 2, { rng });
    expect(() => module.forward(tensor([4], { dtype: "int32" }))).toThrowError(
      expect.objectContaining({ code: "E_INDEX" }),
    );
    expect(() => module.forward(tensor([1.5]))).toThrowError(expect.objectContaining({ code: "E_DTYPE" }));
  });
});

describe("PositionEmbedding", () => {
  it("starts from N(0, 0.02²), or from the std that it is given", () => {
    expectNormal(new PositionEmbedding(40, 50, { rng }).weight, 0.02);
    expectNormal(new PositionEmbedding(40, 50, { rng, std: 0.5 }).weight, 0.5);
  });

  it("adds the vector of each position, and has correct gradients", () => {
    const module = new PositionEmbedding(4, 2, { rng, dtype, std: 1 });
    const x = normalLeaf("x", [2, 3, 2]);
    const rows = module.weight.detach().slice([[0, 3]]);
    expectSameBits(module.forward(x).detach(), x.detach().add(rows));
    expectCorrectGradients(() => module.forward(x), [x, module.weight]);
    expect(() => module.forward(zeros([1, 5, 2]))).toThrowError(shapeError(/n of at most 4/));
    expect(() => module.forward(zeros([2]))).toThrowError(shapeError(/at most 4/));
  });
});

describe("LayerNorm", () => {
  it.each(values.layerNorm)("agrees with PyTorch, eps $eps", (given) => {
    const module = withState(new LayerNorm(7, { dtype, eps: given.eps }), given.state);
    const x = leaf(given.x);
    const output = module.forward(x);
    expectNear(output, given.output, 1e-12);
    output.backward(constant(given.cotangent));
    expectGradients({ x }, module, given.gradients);
  });

  it.each([{}, { affine: false }, { eps: 0.1 }])("has correct gradients, %o", (options) => {
    const module = new LayerNorm(5, { ...options, dtype });
    const x = normalLeaf("x", [2, 5]);
    expectCorrectGradients(() => module.forward(x), [x, ...module.parameters()]);
  });

  it("starts as the plain normalisation, and refuses other features", () => {
    const x = randomNormal(rng, [3, 4]);
    expectSameBits(new LayerNorm(4).forward(x).detach(), new LayerNorm(4, { affine: false }).forward(x));
    expect(() => new LayerNorm(4).forward(zeros([4, 3]))).toThrowError(shapeError(/4 entries/));
    expect(() => new LayerNorm(4, { eps: -1 })).toThrowError(expect.objectContaining({ code: "E_VALUE" }));
  });
});

describe("Dropout", () => {
  it("drops a share p, scales the rest, and lets the gradient pass where the value did", () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(0.1, 0.5, 0.8), (seed, p) => {
        const module = new Dropout({ p, rng: generator(seed) });
        const x = ones([2000], { requiresGrad: true });
        const out = module.forward(x);
        out.sum().backward();
        expect(new Set(out.values())).toEqual(new Set([0, Math.fround(1 / (1 - p))]));
        const dropped = out.equal(0).cast("float32").mean().item();
        expect(Math.abs(dropped - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / 2000));
        expectSameBits(x.grad!, out.detach());
      }),
    );
  });

  it("is the identity in evaluation and for p = 0, and drops all, NaN too, for p = 1", () => {
    const x = tensor([1, NaN, -3]);
    expect(new Dropout({ p: 0.9, rng }).eval().forward(x)).toBe(x);
    expect(new Dropout({ p: 0, rng }).forward(x)).toBe(x);
    expect(new Dropout({ p: 1, rng }).forward(x).toArray()).toEqual([0, 0, 0]);
  });

  it("repeats with its stream and moves on with each pass", () => {
    const x = ones([50]);
    const [first, again] = [1, 1].map((seed) => new Dropout({ p: 0.5, rng: generator(seed) }));
    const once = first!.forward(x).values();
    expect(again!.forward(x).values()).toEqual(once);
    expect(first!.forward(x).values()).not.toEqual(once);
  });
});

describe("Sequential", () => {
  it("runs its stages in order, switches them, and has correct gradients", () => {
    const drop = new Dropout({ p: 0.5, rng });
    const model = new Sequential([
      new Linear(3, 4, { rng, dtype }),
      (x) => x.tanh(),
      drop,
      new Linear(4, 2, { rng, dtype }),
    ]);
    model.eval();
    expect(drop.training).toBe(false);
    const x = normalLeaf("x", [2, 3]);
    expectCorrectGradients(() => model.forward(x), [x, ...model.parameters()]);
    expect(new Sequential([(v) => v.mul(2), (v) => v.add(1)]).forward(tensor([3])).toArray()).toEqual([7]);
    expect(new Sequential([]).forward(x)).toBe(x);
  });
});
