import type { Value } from "fast-check";
import { tensor, type Tensor } from "../../autograd/index.js";
import type { DType } from "../../tensor/index.js";

/** A size that may shrink, in every tensor that has it at once. */
export interface Dimension {
  readonly size: number;
  /** The smallest size allowed. */
  readonly least: number;
  /** Whether the whole axis may go. */
  readonly removable: boolean;
}

/** A part of an axis: a fixed number, or a dimension; a tensor that broadcasts along it has a 1 there. */
export type Factor = number | { readonly dimension: string; readonly broadcast: boolean };

/** A tensor before it is one: its axes as products of factors, and each element as it was drawn. */
export interface DraftTensor {
  readonly axes: readonly (readonly Factor[])[];
  readonly cells: readonly Value<number>[];
}

/** Tensors that share dimensions. */
export interface Draft {
  readonly dimensions: ReadonlyMap<string, Dimension>;
  readonly tensors: readonly DraftTensor[];
}

/** The size of a factor. */
export function sizeOfFactor(factor: Factor, dimensions: Draft["dimensions"]): number {
  if (typeof factor === "number") return factor;
  return factor.broadcast ? 1 : dimensions.get(factor.dimension)!.size;
}

/** The shape of a tensor of a draft. */
export function shapeOf({ axes }: Pick<DraftTensor, "axes">, dimensions: Draft["dimensions"]): number[] {
  return axes.map((axis) =>
    axis.reduce<number>((size, factor) => size * sizeOfFactor(factor, dimensions), 1),
  );
}

/** The draft without the slices `from` to `to` of a dimension, in every tensor that has it. */
export function withoutSlices(draft: Draft, name: string, from: number, to: number): Draft {
  const dimension = draft.dimensions.get(name)!;
  const tensors = draft.tensors.map(({ axes, cells }) => {
    const factors = axes.flat();
    const sizes = factors.map((factor) => sizeOfFactor(factor, draft.dimensions));
    const named = factors.map(
      (factor) => typeof factor !== "number" && !factor.broadcast && factor.dimension === name,
    );
    if (!named.includes(true)) return { axes, cells };
    return { axes, cells: cells.filter((_, at) => isKept(at, sizes, named, from, to)) };
  });
  const dimensions = new Map(draft.dimensions).set(name, {
    ...dimension,
    size: dimension.size - (to - from),
  });
  return { dimensions, tensors };
}

/** Whether no named coordinate of the element at a place lies in the slices from..to. */
function isKept(at: number, sizes: number[], named: boolean[], from: number, to: number): boolean {
  let rest = at;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const coordinate = rest % sizes[axis]!;
    if (named[axis] && coordinate >= from && coordinate < to) return false;
    rest = Math.floor(rest / sizes[axis]!);
  }
  return true;
}

/** The draft without an axis: its first slice stays. */
export function withoutAxis(draft: Draft, name: string): Draft {
  const { size } = draft.dimensions.get(name)!;
  const first = size > 1 ? withoutSlices(draft, name, 1, size) : draft;
  const dimensions = new Map(first.dimensions);
  dimensions.delete(name);
  const tensors = first.tensors.map(({ axes, cells }) => ({
    axes: axes.filter(([factor]) => typeof factor !== "object" || factor.dimension !== name),
    cells,
  }));
  return { dimensions, tensors };
}

/** The draft with a tensor without its first axis when it only broadcasts there; undefined when it does not. */
export function withoutLeadingOne(draft: Draft, at: number): Draft | undefined {
  const [[factor] = []] = draft.tensors[at]!.axes;
  if (typeof factor !== "object" || !factor.broadcast) return undefined;
  const tensors = draft.tensors.map((one, i) =>
    i === at ? { axes: one.axes.slice(1), cells: one.cells } : one,
  );
  return { dimensions: draft.dimensions, tensors };
}

/** The draft with one element in another's place. */
export function withCell(draft: Draft, at: number, cell: number, value: Value<number>): Draft {
  const tensors = draft.tensors.map((one, i) =>
    i === at ? { axes: one.axes, cells: one.cells.with(cell, value) } : one,
  );
  return { dimensions: draft.dimensions, tensors };
}

/** The tensors of a draft, each of its type. */
export function tensorsOf({ tensors, dimensions }: Draft, dtypes: readonly DType[]): Tensor[] {
  return tensors.map(({ axes, cells }, i) =>
    tensor(
      Float64Array.from(cells, (cell) => cell.value),
      { shape: shapeOf({ axes }, dimensions), dtype: dtypes[i]! },
    ),
  );
}
