import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gradients, tensor, type Tensor } from "../../../src/autograd/index.js";
import { composedGates, type GateTensors } from "../../../src/nn/recurrent/composed-gates.js";
import { gruGates } from "../../../src/nn/recurrent/gru-gates.js";
import { generator } from "../../../src/random/index.js";
import { expectCorrectGradients, expectCorrectSecondDerivatives, normalLeaf } from "../gradient-law.js";
import { expectSameBits } from "../near.js";

interface Drawn {
  readonly tensors: GateTensors;
  readonly leaves: readonly Tensor[];
}

function draw(
  seed: number,
  batch: number,
  hidden: number,
  bias: boolean,
  dtype: "float32" | "float64",
): Drawn {
  const rng = generator(seed);
  const make = (...shape: number[]): Tensor =>
    tensor(rng.normals(shape.reduce((a, b) => a * b)), { dtype, shape, requiresGrad: true });
  const gi = make(batch, 3 * hidden);
  const gh = make(batch, 3 * hidden);
  const h = make(batch, hidden);
  const [bi, bh] = bias ? [make(3 * hidden), make(3 * hidden)] : [];
  return { tensors: { gi, gh, h, bi, bh }, leaves: [gi, gh, h, ...(bi && bh ? [bi, bh] : [])] };
}

describe("the fused step is its composed twin", () => {
  it.each(["float32", "float64"] as const)("in %s: the same bits forward, gradients to rounding", (dtype) => {
    const unit = dtype === "float32" ? 2 ** -24 : 2 ** -53;
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        (seed, batch, hidden, bias) => {
          const { tensors, leaves } = draw(seed, batch, hidden, bias, dtype);
          const fused = gruGates(tensors);
          const composed = composedGates(tensors);
          expectSameBits(fused, composed);
          const cotangent = tensor(
            generator(seed)
              .stream("g")
              .normals(batch * hidden),
            { dtype, shape: fused.shape },
          );
          const found = gradients(fused, leaves, { cotangents: [cotangent] });
          const wanted = gradients(composed, leaves, { cotangents: [cotangent] });
          found.forEach((gradient, i) => {
            const error = Math.max(...gradient!.sub(wanted[i]!).abs().values());
            const size = Math.max(...wanted[i]!.abs().values(), ...cotangent.abs().values());
            expect(error).toBeLessThanOrEqual(8 * Math.sqrt(batch) * unit * size);
          });
        },
      ),
    );
  });
});

it("has correct first and second derivatives, with and without biases", () => {
  for (const bias of [true, false]) {
    const { tensors, leaves } = draw(7, 2, 3, bias, "float64");
    expectCorrectGradients(() => gruGates(tensors), leaves);
    expectCorrectSecondDerivatives(() => gruGates(tensors), leaves);
  }
});

it("holds at saturation: no NaN for huge inputs, and the cotangent passes where z is 1", () => {
  const gi = tensor([[1e30, 1e30, -1e30]], { requiresGrad: true });
  const gh = tensor([[1e30, 1e30, -1e30]], { requiresGrad: true });
  const h = tensor([[0.5]], { requiresGrad: true });
  const out = gruGates({ gi, gh, h });
  out.backward(tensor([[3]]));
  expect(out.toArray()).toEqual([[0.5]]);
  expect(h.grad!.toArray()).toEqual([[3]]);
  expect(gi.grad!.abs().toArray()).toEqual([[0, 0, 0]]);
});

it("a gradient pass can be run twice with the same bits", () => {
  const h = normalLeaf("h", [2, 3]);
  const { tensors } = draw(1, 2, 3, true, "float64");
  const out = gruGates({ ...tensors, h });
  const [first] = gradients(out.sum(), [h], { retainGraph: true });
  const [second] = gradients(out.sum(), [h]);
  expectSameBits(first!, second!);
});
