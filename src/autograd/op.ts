import type { NDArray, Shape } from "../tensor/index.js";
import type { Tensor } from "./tensor.js";

/** What a gradient rule is given. */
export interface VjpContext<Attributes> {
  /** ∂L/∂output: the shape of the output. */
  readonly cotangent: Tensor;
  readonly inputs: readonly Tensor[];
  readonly output: Tensor;
  readonly attributes: Attributes;
  /** For each input whether its cotangent is wanted; others may be left undefined. */
  readonly needs: readonly boolean[];
}

/** An operation without a gradient. */
export interface PlainOp<Attributes = undefined> {
  readonly name: string;
  forward(inputs: readonly NDArray[], attributes: Attributes): NDArray;
  /**
   * Floating-point operations of one forward pass, from the shapes: a product of m×k and k×n has 2mkn. Where it is left out,
   * one for each element of the output is taken.
   */
  flops?(inputs: readonly Shaped[], output: Shaped, attributes: Attributes): number;
}

/** What has a shape. */
export interface Shaped {
  readonly shape: Shape;
  readonly size: number;
}

/**
 * A differentiable operation: its value and its gradient rule in one place. The rule gives the cotangent of each
 * input, written in operations, so that it can be differentiated again. A cotangent may have the broadcast shape of
 * the output: the walker sums it down to the shape of the input.
 */
export interface Op<Attributes = undefined> extends PlainOp<Attributes> {
  vjp(context: VjpContext<Attributes>): readonly (Tensor | undefined)[];
}

/** An operation with its types checked; the compiler refuses one without a rule. */
export function op<Attributes = undefined>(definition: Op<Attributes>): Op<Attributes> {
  return definition;
}
