import { checkedOptions, fail, formatGiven } from "../errors/index.js";
import { formatShape, sameShape } from "../tensor/index.js";
import { onesLike } from "./create.js";
import { asTensor, type TensorLike } from "./operands.js";
import { withRecording } from "./record.js";
import { Tensor } from "./tensor.js";
import { isRecord } from "./tree.js";
import { walk, type WalkOptions } from "./walker.js";

/** The cotangent to start from: the given one, checked, or 1 for a scalar. */
function seed(output: Tensor, given: TensorLike | undefined, name: string): Tensor {
  if (!output.requiresGrad) {
    fail(
      "E_NO_GRAD",
      `${name}: the output ${formatShape(output.shape)} does not depend on anything with requiresGrad`,
    );
  }
  if (given === undefined) {
    if (output.size !== 1) {
      fail(
        "E_SHAPE",
        `${name}: expected a scalar output, or a cotangent of its shape, got an output of shape ${formatShape(output.shape)} ` +
          "without one; sum() it, or pass the cotangent",
      );
    }
    return onesLike(output);
  }
  const cotangent = asTensor(given, output.dtype);
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
 * The options may also come first, for a scalar. Frees the graph unless told to retain it. Throws `E_NO_GRAD`, `E_GRAPH_FREED`, `E_STALE`, `E_SHAPE`.
 */
export function backward(output: Tensor, cotangent?: TensorLike | WalkOptions, options?: WalkOptions): void {
  if (!(output instanceof Tensor)) fail("E_VALUE", `backward: expected a tensor, got ${formatGiven(output)}`);
  if (isOptions(cotangent)) return backward(output, undefined, cotangent);
  const start = seed(output, cotangent, "backward");
  const found = walk([output], [start], (tensor) => tensor.requiresGrad && tensor.isLeaf, options);
  withRecording(options?.createGraph ?? false, () => {
    for (const [leaf, gradient] of found) leaf.grad = leaf.grad ? leaf.grad.add(gradient) : gradient;
  });
}

/** Whether options were given where a cotangent may stand. */
function isOptions(value: TensorLike | WalkOptions | undefined): value is WalkOptions {
  return isRecord(value);
}

/** Throws `E_VALUE` unless it is a list of tensors. */
function requireTensors(name: string, list: readonly Tensor[]): void {
  if (!Array.isArray(list) || !Array.from(list).every((entry) => entry instanceof Tensor)) {
    fail(
      "E_VALUE",
      `gradients: expected a list of tensors as ${name}, got ${list instanceof Tensor ? "one tensor" : typeof list}`,
    );
  }
}

/** Options of {@link gradients}. */
export interface GradientOptions extends WalkOptions {
  /** One cotangent for each output; 1 for scalars when left out. */
  readonly cotangents?: readonly (TensorLike | undefined)[];
}

/**
 * Σ cotangentᵀ·∂output/∂input for each input, which may be any tensor of the graph. An input that the outputs do not
 * depend on gives undefined: not computed is not zero. Leaves every `grad` as it is. Throws `E_NO_GRAD` for an input
 * without requiresGrad, whose uses were not all recorded; otherwise as {@link backward}.
 */
export function gradients(
  outputs: Tensor | readonly Tensor[],
  inputs: readonly Tensor[],
  options: GradientOptions = {},
): (Tensor | undefined)[] {
  checkedOptions("gradients", options);
  const list = outputs instanceof Tensor ? [outputs] : outputs;
  requireTensors("outputs", list);
  requireTensors("inputs", inputs);
  inputs.forEach((input, i) => {
    if (!input.requiresGrad) {
      fail(
        "E_NO_GRAD",
        `gradients: input ${i}, shape ${formatShape(input.shape)}, does not require a gradient; make it with requiresGrad`,
      );
    }
  });
  const wanted = new Set(inputs);
  const starts = list.map((output, i) => seed(output, options.cotangents?.[i], "gradients"));
  const found = walk(list, starts, (tensor) => wanted.has(tensor), options);
  return inputs.map((input) => found.get(input));
}
