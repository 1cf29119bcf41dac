import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, randomNormal, tensor, zeros, type Tensor } from "../../../src/autograd/index.js";
import { GRU, GRUCell } from "../../../src/nn/index.js";
import { generator } from "../../../src/random/index.js";
import type { DType } from "../../../src/tensor/index.js";
import { expectAdjoint } from "../../../src/testing/index.js";
import { expectCorrectGradients, expectCorrectSecondDerivatives, normalLeaf } from "../gradient-law.js";
import { expectUniform } from "../initial-law.js";
import { expectNear, expectSameBits } from "../near.js";
import { constant, expectGradients, leaf, resetBefore, values, withState } from "../oracle/values.js";

const rng = generator("gru");
const dtype = "float64";

describe("against PyTorch", () => {
  it.each(values.gru)("GRU with $layers layers, bias $bias", (given) => {
    const module = withState(
      new GRU(3, 4, { rng, dtype, numLayers: given.layers, bias: given.bias }),
      given.state,
    );
    const [x, h] = [leaf(given.x), leaf(given.h)];
    const { output, hidden } = module.forward(x, h);
    expectNear(output, given.output, 1e-12, "output");
    expectNear(hidden, given.hidden, 1e-12, "hidden");
    const [first, second] = given.cotangents.map(constant) as [Tensor, Tensor];
    output.mul(first).sum().add(hidden.mul(second).sum()).backward();
    expectGradients({ x, h }, module, given.gradients);
  });

  it.each(values.gruCell)("GRUCell, bias $bias", (given) => {
    const module = withState(new GRUCell(3, 4, { rng, dtype, bias: given.bias }), given.state);
    const [x, h] = [leaf(given.x), leaf(given.h)];
    const output = module.forward(x, h);
    expectNear(output, given.output, 1e-12, "output");
    output.backward(constant(given.cotangent));
    expectGradients({ x, h }, module, given.gradients);
  });
});

it.each(resetBefore)("reset before the product agrees with ONNX, bias $bias", (given) => {
  const options = { rng, dtype, reset: "before", bias: given.bias } as const;
  const { output, hidden } = withState(new GRU(3, 4, options), given.state).forward(
    constant(given.x),
    constant(given.h),
  );
  expectNear(output, given.output, 1e-12, "output");
  expectNear(hidden, given.hidden, 1e-12, "hidden");
});

/** A GRU cell written out number by number, in either form. */
function byHand(cell: GRUCell, x: readonly number[], h: readonly number[]): number[] {
  const rows = (weight: Tensor, vector: readonly number[]): number[] =>
    (weight.toArray() as number[][]).map((row) => row.reduce((sum, w, i) => sum + w * vector[i]!, 0));
  const sigma = (a: number): number => 1 / (1 + Math.exp(-a));
  const size = h.length;
  const bias = (parameter: Tensor | undefined, at: number): number => parameter?.values()[at] ?? 0;
  const inward = rows(cell.weight_ih, x).map((value, at) => value + bias(cell.bias_ih, at));
  const onward = rows(cell.weight_hh, h).map((value, at) => value + bias(cell.bias_hh, at));
  const r = h.map((_, j) => sigma(inward[j]! + onward[j]!));
  const reset = rows(
    cell.weight_hh,
    h.map((value, j) => r[j]! * value),
  );
  return h.map((value, j) => {
    const z = sigma(inward[size + j]! + onward[size + j]!);
    const at = 2 * size + j;
    const candidate = cell.reset === "after" ? r[j]! * onward[at]! : reset[at]! + bias(cell.bias_hh, at);
    return (1 - z) * Math.tanh(inward[at]! + candidate) + z * value;
  });
}

it.each(["after", "before"] as const)(
  "reset %s the product agrees with the formula written out, on weights that all differ",
  (reset) => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.boolean(), (seed, bias) => {
        const cell = new GRUCell(3, 4, { rng: generator(seed), dtype, reset, bias });
        for (const parameter of cell.parameters())
          expect(new Set(parameter.values()).size).toBe(parameter.size);
        const x = normalLeaf(`x${seed}`, [2, 3]);
        const h = normalLeaf(`h${seed}`, [2, 4]);
        const out = cell.forward(x, h).toArray() as number[][];
        const [xs, hs] = [x.toArray(), h.toArray()] as [number[][], number[][]];
        out.forEach((row, i) => expectNear(row, byHand(cell, xs[i]!, hs[i]!), 1e-13));
      }),
    );
  },
);

describe.each(["after", "before"] as const)("reset %s the product", (reset) => {
  it("has a Jacobian and a pullback that are adjoint, at a real size", () => {
    const gru = new GRU(16, 32, { rng, dtype, reset, numLayers: 2 });
    const inputs = [normalLeaf("x", [4, 20, 16]), normalLeaf("h", [2, 4, 32])].map((x) => x.detach());
    expectAdjoint((x, h) => gru.forward(x!, h).output, inputs);
  });

  it("refuses an input or state of another type than the weights", () => {
    const [gru, cell] = [new GRU(2, 3, { rng, reset }), new GRUCell(2, 3, { rng, reset })];
    const of = (shape: number[], type: DType): Tensor => zeros(shape, { dtype: type });
    const refused = (what: string, type: DType, run: () => unknown): void => {
      const message = expect.stringContaining(`expected ${what} to be float32 like the weights, got ${type}`);
      expect(run, `${what} ${type}`).toThrowError(expect.objectContaining({ code: "E_DTYPE", message }));
    };
    for (const type of ["float64", "int32"] as const) {
      refused("x", type, () => gru.forward(of([1, 4, 2], type)));
      refused("h", type, () => gru.forward(of([1, 4, 2], "float32"), of([1, 1, 3], type)));
      refused("x", type, () => cell.forward(of([1, 2], type)));
      refused("h", type, () => cell.forward(of([1, 2], "float32"), of([1, 3], type)));
      const onStep = (hidden: Tensor): Tensor => hidden.cast(type);
      refused("the state that onStep returns", type, () =>
        new GRU(2, 3, { rng, reset, onStep }).forward(of([1, 4, 2], "float32")),
      );
    }
    expect(gru.to("float64").forward(of([1, 4, 2], "float64")).output.dtype).toBe("float64");
    expect(cell.to("float64").forward(of([1, 2], "float64")).dtype).toBe("float64");
  });

  it.each([true, false])("has correct gradients, bias %s", (bias) => {
    const module = new GRU(2, 3, { rng, dtype, reset, bias, numLayers: 2 });
    const x = normalLeaf("x", [2, 3, 2]);
    const h = normalLeaf("h", [2, 2, 3]);
    expectCorrectGradients(() => {
      const { output, hidden } = module.forward(x, h);
      return concat([output.reshape([-1]), hidden.reshape([-1])]);
    }, [x, h, ...module.parameters()]);
  });

  it("has correct second derivatives", () => {
    const cell = new GRUCell(2, 3, { rng, dtype, reset });
    const x = normalLeaf("x", [2, 2]);
    const h = normalLeaf("h", [2, 3]);
    expectCorrectSecondDerivatives(
      () => cell.forward(cell.forward(h.slice([null, [0, 2]]), h).slice([null, [0, 2]]), cell.forward(x, h)),
      [x, h, ...cell.parameters()],
    );
  });

  it("gives a batch the bits of its rows one by one, gradients too", () => {
    const module = new GRU(2, 3, { rng, reset });
    const x = tensor(randomNormal(generator(3), [5, 4, 2]).values(), {
      shape: [5, 4, 2],
      requiresGrad: true,
    });
    const { output } = module.forward(x);
    output.square().sum().backward();
    for (let row = 0; row < 5; row++) {
      const one = tensor(
        x
          .detach()
          .slice([[row, row + 1]])
          .values(),
        { shape: [1, 4, 2], requiresGrad: true },
      );
      const single = module.forward(one).output;
      single.square().sum().backward();
      expectSameBits(single, output.detach().slice([[row, row + 1]]));
      expectSameBits(one.grad!, x.grad!.slice([[row, row + 1]]));
    }
  });
});

it("the two places of the reset gate differ", () => {
  const x = normalLeaf("x", [1, 2]);
  const h = normalLeaf("h", [1, 3]);
  const [after, before] = (["after", "before"] as const).map((reset) =>
    new GRUCell(2, 3, { rng: generator(1), dtype, reset }).forward(x, h).toArray(),
  );
  expect(after).not.toEqual(before);
});

describe("GRU", () => {
  it("is its cell step by step, from zeros when no state is given", () => {
    const gru = new GRU(2, 3, { rng: generator(9) });
    const cell = new GRUCell(2, 3, { rng: generator(9) });
    const x = randomNormal(generator(4), [2, 6, 2]);
    let h: Tensor | undefined;
    const { output, hidden } = gru.forward(x);
    for (let t = 0; t < 6; t++) {
      h = cell.forward(x.slice([null, t]), h);
      expectSameBits(output.detach().slice([null, t]), h.detach());
    }
    expectSameBits(hidden.detach().slice([0]), h!.detach());
  });

  it("goes on from the state that onStep returns, and tells it step and layer", () => {
    const calls: [number, number][] = [];
    const scaled = new GRU(2, 3, {
      rng: generator(9),
      numLayers: 2,
      onStep: (hidden, time, layer) => {
        calls.push([time, layer]);
        return hidden.mul(layer === 0 ? 0.5 : 1);
      },
    });
    const plain = new GRU(2, 3, { rng: generator(9), numLayers: 2 });
    expect(scaled.weight_hh_l1.values()).toEqual(plain.weight_hh_l1.values());
    const x = randomNormal(generator(4), [1, 2, 2]);
    const { output } = scaled.forward(x);
    expect(calls).toEqual([
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ]);
    const first = plain
      .forward(x.slice([null, [0, 1]]))
      .hidden.slice([[0, 1]])
      .mul(0.5);
    const cell = new GRUCell(2, 3, { rng: generator(9) });
    const second = cell.forward(x.slice([null, 1]), first.slice([0])).mul(0.5);
    expectSameBits(scaled.forward(x).hidden.detach().slice([0]), second.detach());
    expect(output.shape).toEqual([1, 2, 3]);
  });

  it("has correct gradients through onStep", () => {
    const module = new GRU(2, 3, { rng, dtype, onStep: (hidden) => hidden.sin() });
    const x = normalLeaf("x", [1, 3, 2]);
    expectCorrectGradients(() => module.forward(x).output, [x, ...module.parameters()]);
  });

  it("starts from U(±1/√hidden), every parameter, the cell's too", () => {
    const gru = new GRU(7, 100, { rng, numLayers: 2 });
    const cell = new GRUCell(7, 100, { rng });
    expect([gru.parameters().length, cell.parameters().length]).toEqual([8, 4]);
    for (const parameter of [...gru.parameters(), ...cell.parameters()]) expectUniform(parameter, 0.1);
  });

  it.each([
    ["too few axes", [2, 3], undefined, /\[batch, time, inputs\]/],
    ["wrong features", [2, 3, 5], undefined, /2 entries along the last axis, got \[2, 3, 5\]/],
    ["no step", [2, 0, 2], undefined, /at least one step/],
    ["a wrong state", [2, 3, 2], [2, 3], /h of shape \[1, 2, 3\], got \[2, 3\]/],
  ])("refuses %s", (_, shape, state, message) => {
    const run = (): unknown =>
      new GRU(2, 3, { rng }).forward(randomNormal(rng, shape), state && randomNormal(rng, state));
    expect(run).toThrowError(
      expect.objectContaining({ code: "E_SHAPE", message: expect.stringMatching(message) }),
    );
  });

  it("refuses an onStep that changes the shape", () => {
    const module = new GRU(2, 3, { rng, onStep: (hidden) => hidden.sum(0) });
    expect(() => module.forward(randomNormal(rng, [2, 1, 2]))).toThrowError(/onStep/);
  });
});
