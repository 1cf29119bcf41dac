import type { NDArray } from "./ndarray.js";
import { stridesOf } from "./shape.js";

/** An array with more elements than this is summarised by its edges. */
const summariseAbove = 1000;

/** How many entries are shown at each end of a summarised axis. */
const edge = 3;

/** Lines are broken before this column. */
const lineWidth = 75;

/** What NumPy's print shows: the elements to 4 significant decimals at most, aligned, long arrays summarised. */
export function formatArray(array: NDArray, prefix = ""): string {
  const { shape, data } = array;
  if (data.length === 0) return shape.length <= 1 ? "[]" : `[], shape [${shape.join(", ")}]`;
  const summarised = data.length > summariseAbove;
  const strides = stridesOf(shape);

  /** The entries of an axis that are shown; undefined stands for the dots. */
  const shown = (length: number): (number | undefined)[] =>
    summarised && length > 2 * edge
      ? [0, 1, 2, undefined, length - 3, length - 2, length - 1]
      : Array.from({ length }, (_, i) => i);

  const visible: number[] = [];
  const collect = (axis: number, offset: number): void => {
    if (axis === shape.length) visible.push(data[offset]!);
    else
      for (const at of shown(shape[axis]!))
        if (at !== undefined) collect(axis + 1, offset + at * strides[axis]!);
  };
  collect(0, 0);
  const text = elementFormat(visible, array.dtype);
  if (shape.length === 0) return text(data[0]!).trim();

  const build = (axis: number, offset: number, indent: string): string => {
    const entries = shown(shape[axis]!);
    if (axis === shape.length - 1) {
      const lines: string[] = [];
      let line = "";
      entries.forEach((at, i) => {
        const word =
          (at === undefined ? "..." : text(data[offset + at * strides[axis]!]!)) +
          (i < entries.length - 1 ? "," : "");
        if (line !== "" && indent.length + 1 + line.length + 1 + word.length > lineWidth) {
          lines.push(line);
          line = "";
        }
        line = line === "" ? word : `${line} ${word}`;
      });
      lines.push(line);
      return `[${lines.join(`\n${indent} `)}]`;
    }
    const gap = `,${"\n".repeat(shape.length - axis - 1)}${indent} `;
    return `[${entries.map((at) => (at === undefined ? "..." : build(axis + 1, offset + at * strides[axis]!, `${indent} `))).join(gap)}]`;
  };
  return build(0, 0, prefix);
}

/** One format for all elements that are shown, so that columns align. */
function elementFormat(values: readonly number[], dtype: NDArray["dtype"]): (value: number) => string {
  let raw: (value: number) => string;
  if (dtype === "bool") raw = (value) => (value === 1 ? "true" : "false");
  else if (dtype === "int32") raw = (value) => String(value);
  else {
    const finite = values.filter(Number.isFinite).map(Math.abs);
    const largest = Math.max(0, ...finite);
    const smallest = Math.min(Infinity, ...finite.filter((value) => value > 0));
    if (
      largest >= 1e8 ||
      (smallest < 1e-4 && smallest !== Infinity) ||
      (smallest !== Infinity && largest / smallest > 1e3 && largest >= 1e4)
    ) {
      raw = (value) => (Number.isFinite(value) ? scientific(value) : special(value));
    } else {
      const fraction = Math.max(
        0,
        ...finite.map((value) => (trimZeros(value.toFixed(4)).split(".")[1] ?? "").length),
      );
      raw = (value) =>
        Number.isFinite(value)
          ? signed(
              value,
              fraction === 0 ? `${Math.abs(value).toFixed(0)}.` : Math.abs(value).toFixed(fraction),
            )
          : special(value);
    }
  }
  const width = Math.max(...values.map((value) => raw(value).length));
  return (value) => raw(value).padStart(width);
}

const signed = (value: number, magnitude: string): string =>
  value < 0 || Object.is(value, -0) ? `-${magnitude}` : magnitude;
const special = (value: number): string => (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
const trimZeros = (decimal: string): string => (decimal.includes(".") ? decimal.replace(/0+$/, "") : decimal);

function scientific(value: number): string {
  const [mantissa, exponent] = Math.abs(value).toExponential(4).split("e") as [string, string];
  const power = Number(exponent);
  return signed(value, `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`);
}
