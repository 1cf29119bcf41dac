import { describe, expect, it } from "vitest";
import { gradients, tensor, type Tensor } from "../../src/autograd/index.js";
import {
  attention,
  crossEntropy,
  LayerNorm,
  Linear,
  mseLoss,
  MultiHeadAttention,
} from "../../src/nn/index.js";
import { generator } from "../../src/random/index.js";
import { expectCorrectSecondDerivatives, normalLeaf } from "./gradient-law.js";

const normals = (seed: string, shape: number[], dtype: "float32" | "float64"): Tensor =>
  tensor(generator(seed).normals(shape.reduce((a, b) => a * b, 1)), { shape, dtype, requiresGrad: true });

/** Operations with a fused gradient, of leaves that `make` gives. */
const cases: Record<string, (make: (seed: string, shape: number[]) => Tensor) => [() => Tensor, Tensor[]]> = {
  layerNorm: (make) => {
    const norm = new LayerNorm(9, { dtype: make("d", [1]).dtype as "float32" });
    norm.weight!.assign(make("weight", [9]).detach());
    norm.bias!.assign(make("bias", [9]).detach());
    const x = make("x", [3, 4, 9]);
    return [() => norm.forward(x), [x, norm.weight!, norm.bias!]];
  },
  linear: (make) => {
    const dtype = make("d", [1]).dtype as "float32";
    const linear = new Linear(5, 7, { rng: generator("linear"), dtype });
    const x = make("x", [3, 4, 5]);
    return [() => linear.forward(x), [x, linear.weight, linear.bias!]];
  },
  attention: (make) => {
    const [q, k, v] = [make("q", [2, 2, 5, 3]), make("k", [2, 2, 4, 3]), make("v", [2, 2, 4, 6])];
    return [() => attention(q, k, v, { causal: true }), [q, k, v]];
  },
  "attention of heads side by side": (make) => {
    const dtype = make("d", [1]).dtype as "float32";
    const module = new MultiHeadAttention(6, 2, { rng: generator("heads"), dtype });
    const x = make("x", [2, 4, 6]);
    return [() => module.forward(x), [x, module.in_proj_weight, module.out_proj.weight]];
  },
  crossEntropy: (make) => {
    const logits = make("logits", [8, 6]);
    const targets = tensor(Int32Array.of(0, 5, -100, 2, 1, 1, -100, 4));
    return [() => crossEntropy(logits, targets), [logits]];
  },
  "crossEntropy of each row": (make) => {
    const logits = make("logits", [3, 4]);
    return [() => crossEntropy(logits, tensor(Int32Array.of(3, 0, 1)), { reduction: "none" }), [logits]];
  },
  mseLoss: (make) => {
    const [prediction, target] = [make("prediction", [7, 9]), make("target", [7, 9])];
    return [() => mseLoss(prediction, target), [prediction, target]];
  },
  "mseLoss, summed": (make) => {
    const [prediction, target] = [make("prediction", [5]), make("target", [5])];
    return [() => mseLoss(prediction, target, { reduction: "sum" }), [prediction, target]];
  },
};

describe.each(Object.entries(cases))("%s", (_, setUp) => {
  it("has correct second derivatives", () => {
    const [f, leaves] = setUp((seed, shape) => normalLeaf(seed, shape));
    expectCorrectSecondDerivatives(f, leaves);
  });

  it.each([
    ["float64", 1e-14],
    ["float32", 4e-6],
  ] as const)("has the fused gradient of its composed form in %s", (dtype, tolerance) => {
    const [f, leaves] = setUp((seed, shape) => normals(seed, shape, dtype));
    const found = (createGraph: boolean): Tensor[] => {
      const out = f();
      const cotangent = normals("cotangent", [...out.shape], dtype).detach();
      return gradients(out, leaves, { cotangents: [cotangent], createGraph }) as Tensor[];
    };
    const composed = found(true);
    found(false).forEach((gradient, i) => {
      expect(gradient.dtype).toBe(dtype);
      expect(gradient.shape).toEqual(composed[i]!.shape);
      const size = Math.max(...composed[i]!.abs().values());
      expect(Math.max(...gradient.sub(composed[i]!).abs().values())).toBeLessThanOrEqual(tolerance * size);
    });
  });
});
