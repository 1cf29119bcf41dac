import { arange, type Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import { broadcastsTo, formatShape } from "../../tensor/index.js";

/** Which keys a query may not look at. In every mask true means hidden, as in PyTorch's MultiheadAttention. */
export interface MaskOptions {
  /** bool, broadcast to `[batch, heads, queries, keys]`, such as `[queries, keys]`: true where the query may not look at the key. */
  readonly attnMask?: Tensor | undefined;
  /** bool `[batch, keys]`: true for keys that no query may look at. */
  readonly keyPaddingMask?: Tensor | undefined;
  /** Query i may look at keys 0 … i only. Default false. */
  readonly causal?: boolean | undefined;
}

/** All masks of the options as one, broadcast to `[batch, heads, queries, keys]`; undefined when nothing is hidden. */
export function jointMask(
  options: MaskOptions,
  shape: readonly [number, number, number, number],
): Tensor | undefined {
  const [batch, , queries, keys] = shape;
  const { attnMask, keyPaddingMask, causal } = options;
  const masks: Tensor[] = [];
  if (attnMask) masks.push(checked("attnMask", attnMask, shape));
  if (keyPaddingMask) {
    masks.push(checked("keyPaddingMask", keyPaddingMask, [batch, keys]).reshape([batch, 1, 1, keys]));
  }
  if (causal) {
    const query = arange(0, queries, 1, { dtype: "int32" }).unsqueeze(1);
    masks.push(arange(0, keys, 1, { dtype: "int32" }).greater(query));
  }
  return masks.length === 0 ? undefined : masks.reduce((all, mask) => all.logicalOr(mask));
}

function checked(name: string, mask: Tensor, shape: readonly number[]): Tensor {
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
