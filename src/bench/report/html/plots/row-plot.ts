import { markup, type Content, type Markup } from "../markup.js";
import { axisMarkup, axisOver, fitted, plotWidth, textWidth, type Axis } from "./axis.js";
import { legend, plotFigure, type PlotText } from "./plot-figure.js";
import { symbol, type Series } from "./symbols.js";

/** A value in a row, perhaps with the range around it. */
export interface RowMark {
  readonly series: Series;
  readonly value: number;
  readonly range?: readonly [low: number, high: number];
  readonly chosen?: boolean;
  /** It has no value, since its cell did not end. */
  readonly unfinished?: boolean;
}

/** A row with its name at the left. */
export interface PlotRow {
  readonly label: string;
  readonly marks: readonly RowMark[];
  /** A line between its marks. */
  readonly joined?: boolean;
  /** Set off from the rows around it. */
  readonly shaded?: boolean;
}

/** A plot of rows over one horizontal axis. */
export interface RowPlot extends PlotText {
  readonly axis: string;
  readonly rows: readonly PlotRow[];
  readonly logarithmic?: boolean;
  readonly legend?: readonly (readonly [Series, string])[];
  /** A line from top to bottom at a value. */
  readonly line?: number;
  /** A stretch from top to bottom, with its name at the top. */
  readonly band?: { readonly from: number; readonly to: number; readonly name: string };
}

const plainHeight = 23;
/** That of all rows where a label takes two lines. */
const tallHeight = 31;
const widestLabel = 150;

/** Whether values spread so much that only a logarithmic axis shows them all. */
export function spreadsWidely(values: readonly number[]): boolean {
  const finite = values.filter(Number.isFinite);
  return finite.every((value) => value > 0) && Math.max(...finite) > 20 * Math.min(...finite);
}

/** The same for values of a report's metric: only errors, of which less is better, are read by their orders of magnitude. */
export function metricSpreadsWidely(
  values: readonly number[],
  direction: "lower is better" | "higher is better",
): boolean {
  return direction === "lower is better" && spreadsWidely(values);
}

/** Draws a plot of rows. A value that is not finite is said in words at the end of its row. */
export function rowPlot(plot: RowPlot): Markup {
  const gutter = Math.min(
    widestLabel,
    Math.max(0, ...plot.rows.flatMap(({ label }) => labelLines(label).map(textWidth))),
  );
  const tall = plot.rows.some(({ label }) => labelLines(label).length > 1);
  const rowHeight = tall ? tallHeight : plainHeight;
  const values = plot.rows.flatMap(({ marks }) =>
    marks.flatMap(({ value, range }) => [value, ...(range ?? [])]),
  );
  const guides = [plot.line, plot.band?.from, plot.band?.to].filter((value) => value !== undefined);
  const axis = axisOver([...values, ...guides], gutter + 12, plot.logarithmic);
  const top = (plot.legend ? 22 : 4) + (plot.band ? 16 : 0);
  const bottom = top + rowHeight * plot.rows.length + 4;
  const drawing: Content[] = [
    plot.legend && legend(plot.legend),
    plot.rows.map((row, at) => shade(row, top + rowHeight * at, rowHeight)),
    plot.band && bandMarkup(plot.band, axis, top, bottom),
    axisMarkup(axis, top, bottom, plot.axis),
    plot.line === undefined ? undefined : lineMarkup(axis.place(plot.line), top, bottom),
    plot.rows.map((row, at) => rowMarkup(row, axis, top + rowHeight * (at + 0.5) + 2, gutter)),
  ];
  return plotFigure(plot, bottom + 38, drawing);
}

function shade({ shaded }: PlotRow, y: number, height: number): Content {
  return shaded
    ? markup`<rect class="shade" x="0" y="${y + 2}" width="${plotWidth}" height="${height}"/>`
    : undefined;
}

function bandMarkup(
  { from, to, name }: NonNullable<RowPlot["band"]>,
  axis: Axis,
  top: number,
  bottom: number,
): Markup {
  const [left, right] = [axis.place(from), axis.place(to)];
  const half = textWidth(name) / 2;
  const middle = Math.min(plotWidth - half - 2, Math.max(half + 2, (left + right) / 2));
  return markup`<rect class="band" x="${left.toFixed(1)}" y="${top}" width="${(right - left).toFixed(1)}" height="${bottom - top}"/><text class="tick" x="${middle.toFixed(1)}" y="${top - 5}" text-anchor="middle">${name}</text>`;
}

function lineMarkup(x: number, top: number, bottom: number): Markup {
  return markup`<line class="zero" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${top}" y2="${bottom}"/>`;
}

/** A label in one line or two, which are cut where they are longer still. */
function labelLines(label: string): readonly string[] {
  if (textWidth(label) <= widestLabel) return [label];
  const words = label.split(" ");
  const fits = (count: number): boolean => textWidth(words.slice(0, count).join(" ")) <= widestLabel;
  let count = 1;
  while (count + 1 < words.length && fits(count + 1)) count += 1;
  return [words.slice(0, count).join(" "), words.slice(count).join(" ")].filter((line) => line !== "");
}

function labelMarkup(label: string, x: number, middle: number): Markup {
  const lines = labelLines(label);
  return markup`${lines.map((line, at) => markup`<text class="tick" x="${x}" y="${middle + 4 + 13 * (at - (lines.length - 1) / 2)}" text-anchor="end">${fitted(line, widestLabel)}</text>`)}`;
}

function wordOf(lost: readonly RowMark[]): string {
  if (!lost.some(({ unfinished }) => unfinished)) return "diverged";
  return lost.every(({ unfinished }) => unfinished) ? "did not end" : "diverged or did not end";
}

/** Where both arms are in a row they stand a little apart, so that neither hides the other. */
const apart = 3.5;

function rowMarkup({ label, marks, joined }: PlotRow, axis: Axis, middle: number, gutter: number): Markup {
  const both =
    marks.some(({ series }) => series === "baseline") && marks.some(({ series }) => series === "idea");
  const y = ({ series }: RowMark): number => middle + (both ? (series === "baseline" ? -apart : apart) : 0);
  const finite = marks.filter(({ value }) => Number.isFinite(value));
  const lost = marks.filter(({ value }) => !Number.isFinite(value));
  const [first, second] = finite;
  const link =
    joined && first && second
      ? markup`<line class="link" x1="${axis.place(first.value).toFixed(1)}" x2="${axis.place(second.value).toFixed(1)}" y1="${y(first)}" y2="${y(second)}"/>`
      : undefined;
  const ranges = finite.map(({ range, series }) =>
    range?.every(Number.isFinite)
      ? markup`<line class="range ${series}-line" x1="${axis.place(range[0]).toFixed(1)}" x2="${axis.place(range[1]).toFixed(1)}" y1="${middle}" y2="${middle}"/>`
      : undefined,
  );
  const gone =
    lost.length === 0
      ? undefined
      : markup`<text class="lost" x="${axis.right}" y="${middle + 4}" text-anchor="end">${lost.map(({ series }) => series).join(", ")} ${wordOf(lost)}</text>`;
  const symbols = finite.map((mark) => symbol(mark.series, axis.place(mark.value), y(mark), mark.chosen));
  return markup`${labelMarkup(label, gutter + 2, middle)}${link}${ranges}${symbols}${gone}
`;
}
