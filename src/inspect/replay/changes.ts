import { fail, formatGiven } from "../../errors/index.js";
import { allocate, formatShape, NDArray, type Elements } from "../../tensor/index.js";
import type { InspectDocument, InspectNode } from "../document.js";
import { placeOf } from "../record/element.js";

/** Another value of a leaf or a constant: of one element, or of all, row-major. */
export type Change =
  | { readonly node: number; readonly element: readonly number[]; readonly value: number }
  | { readonly node: number; readonly values: ArrayLike<number> };

/** The changes by node, checked. Throws `E_REPLAY`, `E_SHAPE`, `E_INDEX`, `E_VALUE`. */
export function changesByNode(
  document: InspectDocument,
  changes: readonly Change[],
): ReadonlyMap<number, readonly Change[]> {
  if (!Array.isArray(changes))
    fail("E_VALUE", `replay: expected a list of changes, got ${formatGiven(changes)}`);
  const byNode = new Map<number, Change[]>();
  for (const change of changes as readonly Change[]) {
    const node = document.nodes[change.node];
    if (!node)
      fail(
        "E_INDEX",
        `replay: there is no node ${change.node}; nodes run from 0 to ${document.nodes.length - 1}`,
      );
    if (node.kind === "operation")
      fail(
        "E_REPLAY",
        `replay: ${node.op} #${node.id} is the result of an operation; change leaves or constants`,
      );
    check(node, change);
    byNode.set(node.id, [...(byNode.get(node.id) ?? []), change]);
  }
  return byNode;
}

function check({ id, name, shape }: InspectNode, change: Change): void {
  const title = name ?? `#${id}`;
  if ("values" in change) {
    const size = shape.reduce((product, length) => product * length, 1);
    if (change.values.length !== size)
      fail("E_SHAPE", `replay: expected ${size} values for ${title}, got ${change.values.length}`);
    return;
  }
  const { element, value } = change;
  if (typeof value !== "number")
    fail("E_VALUE", `replay: expected a number for ${title}, got ${formatGiven(value)}`);
  const fits =
    element.length === shape.length &&
    element.every((at, axis) => Number.isInteger(at) && at >= 0 && at < shape[axis]!);
  if (!fits)
    fail("E_INDEX", `replay: ${title} of shape ${formatShape(shape)} has no element [${element.join(", ")}]`);
}

/** An array with its changes; the same array where there are none. */
export function changed(array: NDArray, changes: readonly Change[] | undefined): NDArray {
  if (!changes) return array;
  const data: Elements = allocate(array.dtype, array.size);
  data.set(array.data);
  for (const change of changes)
    if ("values" in change) data.set(change.values);
    else data[placeOf(change.element, array.shape)] = change.value;
  return new NDArray(array.shape, array.dtype, data);
}
