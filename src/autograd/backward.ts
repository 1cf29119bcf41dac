import { fail } from "../errors/index.js";
import { formatShape, sameShape } from "../tensor/index.js";
import { onesLike } from "./create.js";
import { withRecording } from "./record.js";
import { Tensor } from "./tensor.js";
import { walk, type WalkOptions } from "./walker.js";

/** The cotangent to start from: the given one, checked, or 1 for a scalar. */
function seed(output: Tensor, cotangent: Tensor | undefined, name: string): Tensor {
  if (!output.requiresGrad) {
    fail(
      "E_NO_GRAD",
      `${name}: the output ${formatShape(output.shape)} does not depend on anything with requiresGrad`,
    );
  }
  if (!cotangent) {
    if (output.size !== 1) {
      fail(
        "E_SHAPE",
        `${name}: expected a scalar output, or a cotangent of its shape, got an output of shape ${formatShape(output.shape)} ` +
          "without one; sum() it, or pass the cotangent",
      );
    }
    return onesLike(output);
  }
  if (!sameShape(cotangent.shape, output.shape)) {
    fail(
      "E_SHAPE",
      `${name}: expected a cotangent of shape ${formatShape(output.shape)}, got ${formatShape(cotangent.shape)}`,
    );
  }
  return cotangent.dtype === output.dtype ? cotangent : cotangent.cast(output.dtype);
}

/**
 * Adds ∂output/∂leaf to `grad` of every leaf that requires a gradient. The output is a scalar, or comes with a cotangent.
 * Frees the graph unless told to retain it. Throws `E_NO_GRAD`, `E_GRAPH_FREED`, `E_STALE`, `E_SHAPE`.
 */
export function backward(output: Tensor, cotangent?: Tensor, options: WalkOptions = {}): void {
  const start = seed(output, cotangent, "backward");
  const found = walk([output], [start], (tensor) => tensor.requiresGrad && tensor.isLeaf, options);
  const createGraph = options.createGraph ?? false;
  withRecording(createGraph, () => {
    for (const [leaf, gradient] of found) leaf.grad = leaf.grad ? leaf.grad.add(gradient) : gradient;
  });
}

/** Options of {@link gradients}. */
export interface GradientOptions extends WalkOptions {
  /** One cotangent for each output; 1 for scalars when left out. */
  readonly cotangents?: readonly (Tensor | undefined)[];
}

/**
 * Σ cotangentᵀ·∂output/∂input for each input, which may be any tensor of the graph. An input that the outputs do not
 * depend on gives undefined: not computed is not zero. Leaves every `grad` as it is.
 */
export function gradients(
  outputs: Tensor | readonly Tensor[],
  inputs: readonly Tensor[],
  options: GradientOptions = {},
): (Tensor | undefined)[] {
  const list = outputs instanceof Tensor ? [outputs] : outputs;
  const wanted = new Set(inputs);
  const starts = list.map((output, i) => seed(output, options.cotangents?.[i], "gradients"));
  const found = walk(list, starts, (tensor) => wanted.has(tensor), options);
  return inputs.map((input) => found.get(input));
}
