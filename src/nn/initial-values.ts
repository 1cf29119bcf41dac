import { randomNormal, randomUniform, zeros, ones } from "../autograd/index.js";
import type { Shape } from "../tensor/index.js";
import { checkedRng, type InitOptions } from "./check-options.js";
import { Parameter } from "./parameter.js";

/** A parameter drawn from U(−bound, bound). */
export function uniformParameter(
  layer: string,
  shape: Shape,
  bound: number,
  options: InitOptions,
): Parameter {
  const rng = checkedRng(layer, options);
  const { dtype = "float32" } = options;
  return new Parameter(randomUniform(rng, shape, { low: -bound, high: bound, dtype }));
}

/** A parameter drawn from N(0, std²). */
export function normalParameter(layer: string, shape: Shape, std: number, options: InitOptions): Parameter {
  const rng = checkedRng(layer, options);
  const { dtype = "float32" } = options;
  return new Parameter(randomNormal(rng, shape, { std, dtype }));
}

/**
 * A parameter `[out, in]` drawn from U(±√(6/(in + out))).
 *
 * Source: Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks" (2010), eq. 16.
 */
export function glorotParameter(
  layer: string,
  shape: readonly [number, number],
  options: InitOptions,
): Parameter {
  return uniformParameter(layer, shape, Math.sqrt(6 / (shape[0] + shape[1])), options);
}

/** A parameter of zeros. */
export function zeroParameter(shape: Shape, options: Pick<InitOptions, "dtype">): Parameter {
  return new Parameter(zeros(shape, { dtype: options.dtype ?? "float32" }));
}

/** A parameter of ones. */
export function oneParameter(shape: Shape, options: Pick<InitOptions, "dtype">): Parameter {
  return new Parameter(ones(shape, { dtype: options.dtype ?? "float32" }));
}
