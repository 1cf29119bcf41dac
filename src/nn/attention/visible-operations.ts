import { defineOp, matmul, type Tensor } from "../../autograd/index.js";
import { NDArray, type FloatDType, type Floats } from "../../tensor/index.js";
import { stackedProduct, type StackedSizes } from "./stacked-product.js";
import { hide, visibleProduct } from "./visible-product.js";

/*
 * The two products of attention with hidden pairs left out, so that no 0·NaN arises, in the value or in a derivative of any
 * order: the cotangents of each are made of the other and of itself.
 */

interface Attributes {
  /** bool `[batch, heads, queries, keys]`, true for hidden. */
  readonly hidden: Tensor;
}

interface SumAttributes extends Attributes {
  readonly transposed: boolean;
}

const flags = ({ hidden }: Attributes): Uint8Array => hidden.array.data as Uint8Array;

/** {@link visibleScores} where something is hidden. */
export const visibleScoresOperation = defineOp<Attributes>({
  name: "visibleScores",
  forward: ([a, b], attributes) => {
    const [batch, heads, queries, width] = a!.shape as [number, number, number, number];
    const keys = b!.shape[2]!;
    const sizes: StackedSizes = [batch * heads, queries, width, keys];
    const out = stackedProduct(sizes, a!.data as Floats, b!.data as Floats, { transposeB: true });
    hide(out, flags(attributes));
    return new NDArray([batch, heads, queries, keys], a!.dtype, out);
  },
  vjp: ({ cotangent: g, inputs: [a, b], attributes: { hidden } }) => [
    visibleSum(g, b!, hidden),
    visibleSum(g, a!, hidden, true),
  ],
});

/** {@link visibleSum} where something is hidden. */
export const visibleSumOperation = defineOp<SumAttributes>({
  name: "visibleSum",
  forward: ([weights, values], attributes) => {
    const [batch, heads, queries, keys] = weights!.shape as [number, number, number, number];
    const [inner, width] = values!.shape.slice(2) as [number, number];
    const { transposed } = attributes;
    const rows = transposed ? keys : queries;
    const shown = weights!.data.slice() as Floats;
    hide(shown, flags(attributes));
    const sizes: StackedSizes = [batch * heads, rows, inner, width];
    const out = visibleProduct(sizes, shown, values!.data as Floats, flags(attributes), transposed);
    return new NDArray([batch, heads, rows, width], weights!.dtype as FloatDType, out);
  },
  vjp: ({ cotangent: g, inputs: [weights, values], attributes: { hidden, transposed } }) => [
    transposed ? visibleScores(values!, g, hidden) : visibleScores(g, values!, hidden),
    visibleSum(weights!, g, hidden, !transposed),
  ],
});

/** a·bᵀ, 0 where hidden: a `[batch, heads, queries, d]`, b `[batch, heads, keys, d]` → `[batch, heads, queries, keys]`. */
export function visibleScores(a: Tensor, b: Tensor, hidden: Tensor | undefined): Tensor {
  return hidden ? visibleScoresOperation([a, b], { hidden }) : matmul(a, b, { transposeB: true });
}

/**
 * weights·values with hidden pairs left out, whatever they hold: weights `[batch, heads, queries, keys]`, values `[batch, heads,
 * keys, d]` → `[batch, heads, queries, d]`; with `transposed` weightsᵀ·values, from queries to keys.
 */
export function visibleSum(
  weights: Tensor,
  values: Tensor,
  hidden: Tensor | undefined,
  transposed = false,
): Tensor {
  return hidden
    ? visibleSumOperation([weights, values], { hidden, transposed })
    : matmul(weights, values, { transposeA: transposed });
}
