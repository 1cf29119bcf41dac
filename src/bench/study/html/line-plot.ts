import { markup, type Markup } from "../../report/html/markup.js";
import {
  axisMarkup,
  axisOver,
  plotWidth,
  textWidth,
  tickText,
  type Axis,
} from "../../report/html/plots/axis.js";
import { plotFigure } from "../../report/html/plots/plot-figure.js";
import type { StudyPlot } from "../study.js";
import { lineColours } from "./study-style.js";

const height = 190;
const rowHeight = 15;

/** Draws a plot of lines: a colour, a dash and a form of mark for each, named above. Values that are not finite are left out. */
export function linePlot({ id, title, description, x, y, series }: StudyPlot): Markup {
  const names = legendOf(series.map(({ name }) => name));
  const top = names.height + 8;
  const bottom = top + height;
  const values = series.flatMap(({ points }) => points);
  const up = axisOver(
    values.map(([, value]) => value),
    0,
    y.logarithmic,
  );
  const rise = (value: number): number => bottom - share(up, value) * (bottom - top);
  const labels = up.ticks.filter((_, at) => at % Math.ceil(up.ticks.length / 7) === 0);
  const gutter = Math.max(0, ...labels.map((tick) => textWidth(tickText(tick)))) + 8;
  const along = axisOver(
    values.map(([value]) => value),
    gutter,
    x.logarithmic,
  );
  const grid = labels.map((tick) => {
    const place = rise(tick).toFixed(1);
    return markup`<line class="grid" x1="${gutter}" x2="${along.right}" y1="${place}" y2="${place}"/><text class="tick" x="${gutter - 4}" y="${(rise(tick) + 4).toFixed(1)}" text-anchor="end">${tickText(tick)}</text>`;
  });
  const lines = series.map(({ points }, at) => {
    const places = points
      .filter((point) => point.every(Number.isFinite))
      .map(([px, py]) => [along.place(px), rise(py)] as const);
    const d = places
      .map(([px, py], first) => `${first === 0 ? "M" : "L"}${px.toFixed(1)} ${py.toFixed(1)}`)
      .join("");
    return markup`<path class="${lineClass(at)}" d="${d}"/>${places.map(([px, py]) => mark(at, px, py))}\n`;
  });
  const upTitle = `up: ${y.title}${up.logarithmic ? ", logarithmic" : ""}`;
  return plotFigure({ id, title, description }, bottom + 38, [
    names.drawing,
    grid,
    axisMarkup(along, top, bottom, `${x.title} (${upTitle})`),
    lines,
  ]);
}

function share(axis: Axis, value: number): number {
  return (axis.place(value) - axis.left) / (axis.right - axis.left);
}

function lineClass(at: number): string {
  return `line line-${at % lineColours} dash-${Math.floor(at / lineColours)}`;
}

/** Disc, square, diamond, triangle, in turn. */
function mark(at: number, x: number, y: number): Markup {
  const own = `mark-${at % lineColours}`;
  const [px, py] = [x.toFixed(1), y.toFixed(1)];
  if (at % 4 === 0) return markup`<circle class="${own}" cx="${px}" cy="${py}" r="3"/>`;
  if (at % 4 === 1)
    return markup`<rect class="${own}" x="${(x - 2.7).toFixed(1)}" y="${(y - 2.7).toFixed(1)}" width="5.4" height="5.4"/>`;
  const d = at % 4 === 2 ? `M${px} ${py}m0 -4l4 4l-4 4l-4 -4Z` : `M${px} ${py}m0 -4l3.6 6.4h-7.2Z`;
  return markup`<path class="${own}" d="${d}"/>`;
}

/** The names of the lines, in as many rows as they need. */
function legendOf(names: readonly string[]): {
  readonly height: number;
  readonly drawing: readonly Markup[];
} {
  let [x, y] = [8, 10];
  const drawing = names.map((name, at) => {
    const width = 24 + textWidth(name) + 12;
    if (x > 8 && x + width > plotWidth) [x, y] = [8, y + rowHeight];
    const entry = markup`<line class="${lineClass(at)}" x1="${x}" x2="${x + 18}" y1="${y}" y2="${y}"/>${mark(at, x + 9, y)}<text class="tick" x="${x + 22}" y="${y + 4}">${name}</text>`;
    x += width;
    return entry;
  });
  return { height: names.length === 0 ? 0 : y + 6, drawing };
}
