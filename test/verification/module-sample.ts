import { tensor, type Tensor } from "../../src/autograd/index.js";
import { withStandIns } from "../../src/autograd/stand-in.js";
import type { Module } from "../../src/nn/index.js";
import { generator, type Generator } from "../../src/random/index.js";
import { sizeOf } from "../../src/tensor/index.js";
import type { Sample } from "./sample.js";

/** A module as a function of its inputs and, after them, of its parameters in their order. */
export function moduleSample(
  module: Module,
  call: (...xs: Tensor[]) => Tensor,
  inputs: readonly Tensor[],
): Sample {
  const leaves = module.parameters();
  return {
    f: (...xs) => {
      const standIns = new Map(leaves.map((leaf, i) => [leaf as Tensor, xs[inputs.length + i]!]));
      return withStandIns(standIns, () => call(...xs.slice(0, inputs.length)));
    },
    inputs: [...inputs, ...leaves.map((leaf) => leaf.detach())],
  };
}

/** Every parameter drawn anew, so that no two gates, heads or features can be taken for each other. */
export function scrambled<M extends Module>(module: M, rng: Generator, std = 0.6): M {
  for (const parameter of module.parameters())
    parameter.assign(normals(rng, parameter.shape, std).cast(parameter.dtype));
  return module;
}

/** Normal numbers in float64. */
export function normals(rng: Generator, shape: readonly number[], std = 1): Tensor {
  return tensor(rng.normals(sizeOf(shape), 0, std), { shape: [...shape] });
}

/** A stream for a seed and a name. */
export function stream(seed: number, name: string): Generator {
  return generator(seed).stream(name);
}
