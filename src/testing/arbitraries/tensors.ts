import type fc from "fast-check";
import type { Tensor } from "../../autograd/index.js";
import { fail } from "../../errors/index.js";
import type { DType, Shape } from "../../tensor/index.js";
import type { Dimension, Factor } from "./draft.js";
import { Drafts, type Filling, type Frame } from "./drafts.js";
import { domains, magnitudes } from "./numbers.js";
import { parseSignature, type Signature } from "../signature.js";

/** What the elements of a tensor are. */
export interface ElementOptions {
  /** Default `float64`, in which gradients are checked. */
  readonly dtype?: DType;
  /** Default: finite numbers of log-uniform magnitude (`magnitudes()`), for int32 `domains.whole`, for bool both. */
  readonly elements?: fc.Arbitrary<number>;
  /** The least distance between any two elements of a tensor, away from the ties of a maximum. Default 0. */
  readonly apart?: number;
}

/** The sizes of dimensions. */
export interface SizeOptions {
  /** Default 1; 0 draws empty tensors as well. */
  readonly minSize?: number;
  /** Default 4. */
  readonly maxSize?: number;
  /** The fewest axes that `...` stands for. Default 0. */
  readonly minRank?: number;
  /** The most axes that `...` stands for. Default 2. */
  readonly maxRank?: number;
}

/** Options of {@link inputs}; a list has an entry for each input. */
export interface InputsOptions extends SizeOptions {
  readonly dtype?: DType | readonly DType[];
  readonly elements?: fc.Arbitrary<number> | readonly fc.Arbitrary<number>[];
  readonly apart?: number | readonly number[];
  /** Sizes that are given, by name: `{ h: 3 }`. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** Options of {@link tensors}. */
export interface TensorsOptions extends SizeOptions, ElementOptions {
  /** One shape for all; it does not shrink. Without it `minRank` (0) to `maxRank` (3) axes are drawn. */
  readonly shape?: Shape;
}

/**
 * The inputs of a function with the signature `"(m,n),(n,p)->(m,p)"` (see `parseSignature`): each named size is drawn once,
 * the axes of `...` broadcast from input to input. A failure shrinks to the fewest slices, dropped in all inputs that share the
 * size, and then to simple numbers.
 *
 * @throws E_VALUE for a text that is no signature, or for lists of options of another length
 */
export function inputs(signature: string, options: InputsOptions = {}): fc.Arbitrary<Tensor[]> {
  const parsed = parseSignature(signature);
  const each = <T>(given: T | readonly T[] | undefined, what: string): readonly (T | undefined)[] => {
    if (!Array.isArray(given)) return parsed.inputs.map(() => given as T | undefined);
    if (given.length !== parsed.inputs.length)
      fail(
        "E_VALUE",
        `inputs: ${what} has ${given.length} entries, expected ${parsed.inputs.length} for ${signature}`,
      );
    return given as readonly T[];
  };
  const dtypes = each(options.dtype, "dtype");
  const elements = each(options.elements, "elements");
  const apart = each(options.apart, "apart");
  const fillings = parsed.inputs.map((_, i) =>
    fillingOf({
      ...(dtypes[i] && { dtype: dtypes[i] }),
      ...(elements[i] && { elements: elements[i] }),
      ...(apart[i] !== undefined && { apart: apart[i] }),
    }),
  );
  return new Drafts((random) => frameOf(parsed, options, random), fillings, options.minRank ?? 0);
}

/** A tensor of any shape, or of a given one. It shrinks to the fewest axes and slices, and then to simple numbers. */
export function tensors(options: TensorsOptions = {}): fc.Arbitrary<Tensor> {
  const { shape, minRank = 0, maxRank = 3 } = options;
  const fixed = { dimensions: new Map<string, Dimension>(), axes: [shape?.map((size) => [size]) ?? []] };
  const signature = parseSignature("(...)");
  const frame = (random: fc.Random): Frame =>
    shape ? fixed : frameOf(signature, { ...options, minRank, maxRank }, random);
  return new Drafts(frame, [fillingOf(options)], minRank).map(([x]) => x!);
}

/** Options of {@link broadcastable} and {@link matmulPairs}. */
export type PairOptions = SizeOptions & ElementOptions;

/** Two tensors whose shapes broadcast to each other, of 0 to 3 axes. */
export function broadcastable(options: PairOptions = {}): fc.Arbitrary<[Tensor, Tensor]> {
  return inputs("(...),(...)", { maxRank: 3, ...options }).map(([a, b]) => [a!, b!]);
}

/** Two tensors that can be multiplied: matrices in batches that broadcast. */
export function matmulPairs(options: PairOptions = {}): fc.Arbitrary<[Tensor, Tensor]> {
  return inputs("(...,m,k),(...,k,n)", options).map(([a, b]) => [a!, b!]);
}

function fillingOf({ dtype = "float64", elements, apart = 0 }: ElementOptions): Filling {
  const usual = dtype === "bool" ? domains.bit : dtype === "int32" ? domains.whole : magnitudes();
  return { dtype, elements: elements ?? usual, apart };
}

function frameOf(signature: Signature, options: InputsOptions, random: fc.Random): Frame {
  const { minSize = 1, maxSize = 4, minRank = 0, maxRank = 2, sizes = {} } = options;
  if (!(minSize <= maxSize && minRank <= maxRank))
    fail(
      "E_VALUE",
      `sizes ${minSize} to ${maxSize}, ranks ${minRank} to ${maxRank}: expected the smaller one first`,
    );
  const dimensions = new Map<string, Dimension>();
  const size = (): number => random.nextInt(minSize, maxSize);
  for (const factor of signature.inputs.flat(2)) {
    if (typeof factor === "number" || factor === "..." || dimensions.has(factor)) continue;
    const given = sizes[factor];
    dimensions.set(factor, { size: given ?? size(), least: given ?? minSize, removable: false });
  }
  const sharing = signature.inputs.filter((axes) => axes.includes("...")).length;
  const batch = Array.from(
    { length: sharing > 0 ? random.nextInt(minRank, maxRank) : 0 },
    (_, i) => `...${i}`,
  );
  for (const name of batch) dimensions.set(name, { size: size(), least: minSize, removable: true });
  const axes = signature.inputs.map((own) =>
    own.flatMap((axis): Factor[][] =>
      axis === "..."
        ? batchAxes(batch, sharing > 1, random)
        : [
            axis.map((factor) =>
              typeof factor === "number" ? factor : { dimension: factor, broadcast: false },
            ),
          ],
    ),
  );
  return { dimensions, axes };
}

/** The axes of `...` in one input: some of them 1 and broadcast, some of those in front left out. */
function batchAxes(batch: readonly string[], broadcasts: boolean, random: fc.Random): Factor[][] {
  const axes = batch.map((dimension) => [{ dimension, broadcast: broadcasts && random.nextInt(0, 3) === 0 }]);
  const first = axes.findIndex(([factor]) => !factor!.broadcast);
  const ones = first < 0 ? axes.length : first;
  return axes.slice(random.nextInt(0, ones));
}
