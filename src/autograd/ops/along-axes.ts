import {
  mapNumbers,
  NDArray,
  reserve,
  sizeOf,
  stridedCopy,
  stridesOf,
  type Along,
  type Elements,
  type Shape,
} from "../../tensor/index.js";

/** Elements in an order in which they are `[outer, length, inner]` with the middle to be reduced or scanned. */
export interface Arranged {
  readonly data: Elements;
  readonly along: Along;
}

/** The shape with the reduced axes at size 1. */
export function keptShape(shape: Shape, axes: readonly number[]): number[] {
  return mapNumbers(shape, (length, axis) => (axes.includes(axis) ? 1 : length));
}

/** x as `[outer, length, inner]` around the axes, which are brought next to each other by a copy if need be. */
export function alongAxes(x: NDArray, axes: readonly number[]): Arranged {
  const { shape } = x;
  if (axes.length === 0) return { data: x.data, along: { outer: x.size, length: 1, inner: 1 } };
  if (axes.every((axis, i) => i === 0 || axis === axes[i - 1]! + 1)) {
    const first = axes[0]!;
    const end = first + axes.length;
    return {
      data: x.data,
      along: {
        outer: sizeOf(shape.slice(0, first)),
        length: sizeOf(shape.slice(first, end)),
        inner: sizeOf(shape.slice(end)),
      },
    };
  }
  const kept = [...shape.keys()].filter((axis) => !axes.includes(axis));
  const sizes = (list: readonly number[]): number => sizeOf(mapNumbers(list, (axis) => shape[axis]!));
  return {
    data: permuted(x, [...kept, ...axes]),
    along: { outer: sizes(kept), length: sizes(axes), inner: 1 },
  };
}

/** Like {@link alongAxes}, with each list that is reduced in one piece: `[rows, length, 1]`. */
export function asRows(x: NDArray, axes: readonly number[]): Arranged {
  const { data, along } = alongAxes(x, axes);
  const { outer, length, inner } = along;
  if (inner === 1) return { data, along };
  const folded = new NDArray([outer, length, inner], x.dtype, data);
  return { data: permuted(folded, [0, 2, 1]), along: { outer: outer * inner, length, inner: 1 } };
}

/** The elements with the axes in another order. */
function permuted(x: NDArray, order: readonly number[]): Elements {
  const out = reserve(x.dtype, x.size);
  const strides = stridesOf(x.shape);
  const dims = order.map((axis) => x.shape[axis]!);
  if (x.size > 0)
    stridedCopy(
      x.data,
      0,
      dims,
      order.map((axis) => strides[axis]!),
      out,
    );
  return out;
}
