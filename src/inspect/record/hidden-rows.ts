import type { Tensor } from "../../autograd/index.js";
import type { NDArray } from "../../tensor/index.js";
import { hiddenPairs, type Masks, type PairShape } from "../../nn/attention/attention-mask.js";
import type { HiddenRows } from "../document.js";
import { indexOf } from "./element.js";

/** Rows of a softmax or an attention in which a mask hides everything; undefined when there are none. */
export function hiddenRowsOf(
  name: string,
  inputs: readonly Tensor[],
  attributes: unknown,
): HiddenRows | undefined {
  if (name === "softmax" || name === "logSoftmax")
    return rowsWhere(inputs[0]!.array, (value) => value === -Infinity);
  const { masks, layout } = (attributes ?? {}) as { masks?: Masks; layout?: Record<string, number> };
  if ((name !== "attention" && name !== "headsAttention") || !masks?.flags || !layout) return undefined;
  const shape = ["batch", "heads", "queries", "keys"].map((axis) => layout[axis]!) as unknown as PairShape;
  return rowsWhere(hiddenPairs(masks, shape)!.array, (flag) => flag !== 0);
}

function rowsWhere(
  { data, shape, size }: NDArray,
  isHidden: (value: number) => boolean,
): HiddenRows | undefined {
  const length = shape.at(-1) ?? 1;
  let [count, first] = [0, -1];
  for (let row = 0; row * length < size; row++) {
    let hidden = true;
    for (let i = row * length; hidden && i < (row + 1) * length; i++) hidden = isHidden(data[i]!);
    if (!hidden) continue;
    if (count++ === 0) first = row;
  }
  return count === 0 ? undefined : { count, rows: size / length, first: indexOf(first, shape.slice(0, -1)) };
}
