import { floatText } from "./float-text.js";
import type { NDArray } from "./ndarray.js";
import { stridesOf } from "./shape.js";

/** An array with more elements than this is summarised by its edges. */
const summariseAbove = 1000;

/** How many entries are shown at each end of a summarised axis. */
const edge = 3;

/** Lines are broken before this column. */
const lineWidth = 75;

/**
 * The elements as NumPy's `array2string(x, precision=4, separator=", ")` shows them: aligned, lines broken before column
 * 75, arrays of more than 1000 elements by their edges. `prefix` stands before it on the first line, `suffix` behind it
 * on the last.
 */
export function formatArray(array: NDArray, prefix = "", suffix = ""): string {
  if (array.size === 0) return "[]";
  const text = elementText(array, visible(array));
  if (array.rank === 0) return text(array.data[0]!);
  return new Rows(array, text).show(0, 0, " ".repeat(prefix.length + 1), lineWidth - suffix.length);
}

/** The entries of an axis that are shown; undefined stands for the dots. */
function shown(length: number, summarised: boolean): (number | undefined)[] {
  if (!summarised || length <= 2 * edge) return Array.from({ length }, (_, i) => i);
  const first = Array.from({ length: edge }, (_, i) => i);
  return [...first, undefined, ...first.map((i) => length - edge + i)];
}

/** The elements that are shown. */
function visible({ shape, data }: NDArray): number[] {
  const strides = stridesOf(shape);
  const values: number[] = [];
  const collect = (axis: number, offset: number): void => {
    if (axis === shape.length) values.push(data[offset]!);
    else
      for (const at of shown(shape[axis]!, data.length > summariseAbove))
        if (at !== undefined) collect(axis + 1, offset + at * strides[axis]!);
  };
  collect(0, 0);
  return values;
}

/** One format for all elements that are shown, so that columns align. */
function elementText(array: NDArray, values: readonly number[]): (value: number) => string {
  if (array.dtype === "bool") {
    const yes = array.rank === 0 ? "True" : " True";
    return (value) => (value === 0 ? "False" : yes);
  }
  if (array.dtype === "int32") {
    const width = Math.max(...values.map((value) => String(value).length));
    return (value) => String(value).padStart(width);
  }
  return floatText(values, array.dtype === "float32");
}

/** Lists within lists, one line a row where it fits. */
class Rows {
  readonly #strides: readonly number[];

  constructor(
    private readonly array: NDArray,
    private readonly text: (value: number) => string,
  ) {
    this.#strides = stridesOf(array.shape);
  }

  /** The list along `axis`; `indent` is what stands before its entries, `width` the columns that are left. */
  show(axis: number, offset: number, indent: string, width: number): string {
    const { shape, size } = this.array;
    const entries = shown(shape[axis]!, size > summariseAbove);
    const at = (entry: number): number => offset + entry * this.#strides[axis]!;
    if (axis === shape.length - 1) {
      const words = entries.map((entry) =>
        entry === undefined ? "..." : this.text(this.array.data[at(entry)]!),
      );
      return `[${brokenLines(words, indent, width - 1)}]`;
    }
    const lists = entries.map((entry) =>
      entry === undefined ? "..." : this.show(axis + 1, at(entry), `${indent} `, width - 1),
    );
    return `[${lists.join(`,${"\n".repeat(shape.length - axis - 1)}${indent}`)}]`;
  }
}

/** Words with commas between them; a new line where a word would pass the width, unless it stood first anyway. */
function brokenLines(words: readonly string[], indent: string, width: number): string {
  const lines: string[] = [];
  let line = indent;
  words.forEach((word, i) => {
    if (line.length + word.length > width && line.length > indent.length) {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += i < words.length - 1 ? `${word}, ` : word;
  });
  lines.push(line);
  return lines.join("\n").slice(indent.length);
}
