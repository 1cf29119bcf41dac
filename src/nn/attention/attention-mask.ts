import { checkTensor } from "../check-input.js";
import { arange, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { broadcastsTo, formatShape } from "../../tensor/index.js";

/** Which keys a query may not look at. In every mask true means hidden, as in PyTorch's MultiheadAttention. */
export interface MaskOptions {
  /** bool, broadcast to `[batch, heads, queries, keys]`, such as `[queries, keys]`: true hides the key from the query. */
  readonly attnMask?: Tensor | undefined;
  /** bool `[batch, keys]`: true hides the key from every query. */
  readonly keyPaddingMask?: Tensor | undefined;
  /** True hides keys i + 1, i + 2, … from query i. Default false. */
  readonly causal?: boolean | undefined;
}

/** `[batch, heads, queries, keys]` */
export type PairShape = readonly [batch: number, heads: number, queries: number, keys: number];

/** What the options hide. */
export interface Masks {
  /** bool, true for hidden, broadcast to `[batch, heads, queries, keys]`; undefined when no mask was given. */
  readonly flags: Tensor | undefined;
  readonly causal: boolean;
}

/** The masks of the options, checked, joined to one beside the causal one. */
export function masksOf(options: MaskOptions, shape: PairShape): Masks {
  const [batch, , , keys] = shape;
  const { attnMask, keyPaddingMask, causal = false } = options;
  const masks: Tensor[] = [];
  if (attnMask) masks.push(checked("attnMask", attnMask, shape));
  if (keyPaddingMask) {
    masks.push(checked("keyPaddingMask", keyPaddingMask, [batch, keys]).reshape([batch, 1, 1, keys]));
  }
  const flags = masks.length === 0 ? undefined : masks.reduce((all, mask) => all.logicalOr(mask));
  return { flags, causal };
}

/** All masks as one tensor of the full shape; undefined when nothing is hidden. */
export function hiddenPairs({ flags, causal }: Masks, shape: PairShape): Tensor | undefined {
  if (!causal) return flags?.expand(shape);
  const [, , queries, keys] = shape;
  const query = arange(0, queries, 1, { dtype: "int32" }).unsqueeze(1);
  const later = arange(0, keys, 1, { dtype: "int32" }).greater(query);
  return (flags ? flags.logicalOr(later) : later).expand(shape);
}

function checked(name: string, mask: Tensor, shape: readonly number[]): Tensor {
  checkTensor("attention", name, mask);
  if (mask.dtype !== "bool") {
    fail("E_DTYPE", `attention: expected ${name} to be bool with true for what is hidden, got ${mask.dtype}`);
  }
  if (!broadcastsTo(mask.shape, shape) || (name === "keyPaddingMask" && mask.rank !== 2)) {
    fail(
      "E_SHAPE",
      `attention: expected ${name} to broadcast to ${formatShape(shape)}, got ${formatShape(mask.shape)}`,
    );
  }
  return mask;
}
