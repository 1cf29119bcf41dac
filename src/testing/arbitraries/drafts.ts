import fc from "fast-check";
import type { Tensor } from "../../autograd/index.js";
import type { DType } from "../../tensor/index.js";
import {
  shapeOf,
  tensorsOf,
  withCell,
  withoutAxis,
  withoutLeadingOne,
  withoutSlices,
  type Draft,
  type DraftTensor,
} from "./draft.js";

/** How one tensor is filled. */
export interface Filling {
  readonly dtype: DType;
  readonly elements: fc.Arbitrary<number>;
  /** The least distance between any two elements; 0 for no demand. */
  readonly apart: number;
}

/** What {@link Drafts} draws first: the axes, before anything is in them. */
export interface Frame {
  readonly dimensions: Draft["dimensions"];
  readonly axes: readonly DraftTensor["axes"][];
}

/**
 * Tensors that share dimensions, shrunk slice by slice: whole axes go first, then slices of a dimension (halves, quarters, …,
 * single ones), in all tensors that have it at once, and last each element becomes simpler.
 */
export class Drafts extends fc.Arbitrary<Tensor[]> {
  constructor(
    private readonly frame: (random: fc.Random) => Frame,
    private readonly fillings: readonly Filling[],
    /** How many removable axes must stay. */
    private readonly leastRank = 0,
  ) {
    super();
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<Tensor[]> {
    const { dimensions, axes } = this.frame(random);
    const tensors = axes.map((own, i) => ({
      axes: own,
      cells: cellsOf(
        shapeOf({ axes: own }, dimensions).reduce((a, b) => a * b, 1),
        this.fillings[i]!,
        random,
        bias,
      ),
    }));
    return this.from({ dimensions, tensors });
  }

  override canShrinkWithoutContext(value: unknown): value is Tensor[] {
    return value === undefined;
  }

  override shrink(_: Tensor[], context?: unknown): fc.Stream<fc.Value<Tensor[]>> {
    return fc.stream(this.shrinkDraft(context as Draft));
  }

  /** The tensors of a draft as a value that shrinks. */
  from(draft: Draft): fc.Value<Tensor[]> {
    return new fc.Value(
      tensorsOf(
        draft,
        this.fillings.map(({ dtype }) => dtype),
      ),
      draft,
    );
  }

  /** Smaller values than a draft, the smallest first. */
  *shrinkDraft(draft: Draft): IterableIterator<fc.Value<Tensor[]>> {
    const removable = [...draft.dimensions].filter(([, { removable }]) => removable);
    if (removable.length > this.leastRank)
      for (const [name, { size }] of removable) if (size > 0) yield this.from(withoutAxis(draft, name));
    for (const [name, { size, least }] of draft.dimensions) {
      for (const width of widths(size - least))
        for (let from = 0; from + width <= size; from += width)
          yield this.from(withoutSlices(draft, name, from, from + width));
    }
    for (const at of draft.tensors.keys()) {
      const shorter = withoutLeadingOne(draft, at);
      if (shorter) yield this.from(shorter);
    }
    for (const [at, { cells }] of draft.tensors.entries()) {
      const { elements, apart } = this.fillings[at]!;
      for (const [i, cell] of cells.entries()) {
        for (const simpler of elements.shrink(cell.value, cell.context)) {
          if (isApart(simpler.value, cells, i, apart)) yield this.from(withCell(draft, at, i, simpler));
        }
      }
    }
  }
}

/** Most, half of that, … , 1. */
function widths(most: number): number[] {
  const found: number[] = [];
  for (let width = most; width >= 1; width = Math.floor(width / 2)) found.push(width);
  return found;
}

function cellsOf(
  count: number,
  filling: Filling,
  random: fc.Random,
  bias: number | undefined,
): fc.Value<number>[] {
  const { elements, apart } = filling;
  if (apart === 0) return Array.from({ length: count }, () => elements.generate(random, bias));
  const places = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = random.nextInt(0, i);
    [places[i], places[other]] = [places[other]!, places[i]!];
  }
  return places.map((place) => {
    const jitter = random.nextInt(0, 499_999) / 1e6;
    return new fc.Value((1.5 * (place - count / 2) + jitter) * apart, undefined);
  });
}

function isApart(x: number, cells: readonly fc.Value<number>[], at: number, apart: number): boolean {
  return apart === 0 || cells.every((other, i) => i === at || Math.abs(other.value - x) >= apart);
}
