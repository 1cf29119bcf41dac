import { markup, type Markup } from "../markup.js";

/** Width of every plot in its own units; the page shows it at its own width or a little larger. */
export const plotWidth = 380;

/** Room to the right of the axis. */
const rightMargin = 14;

/** The width that a text of the plots takes at most: 11 units high, in the page's sans-serif. */
export function textWidth(text: string): number {
  return text.length * 6.4;
}

/** A text cut to fit a width, with an ellipsis where something was cut off. */
export function fitted(text: string, width: number): string {
  const most = Math.max(1, Math.floor(width / 6.4));
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

/** A horizontal axis: where a value lies, and the values that are labelled. */
export interface Axis {
  readonly left: number;
  readonly right: number;
  readonly ticks: readonly number[];
  readonly logarithmic: boolean;
  /** The place of a value; the near end for one outside, which only a zero on a logarithmic axis is. */
  place(value: number): number;
}

/** An axis over all finite values, from `left` to the right end; logarithmic only where all that is shown is positive. */
export function axisOver(values: readonly number[], left: number, logarithmic = false): Axis {
  const finite = values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
  const right = plotWidth - rightMargin;
  const to = logarithmic ? Math.log10 : (value: number): number => value;
  const [low, high] = widened(to(Math.min(...finite)), to(Math.max(...finite)), finite.length === 0);
  const place = (value: number): number => {
    const share = (to(value) - low) / (high - low);
    return left + Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share)) * (right - left);
  };
  const ticks = logarithmic ? decades(low, high) : evenSteps(low, high, right - left);
  return { left, right, ticks: apart(ticks, place), logarithmic, place };
}

function widened(low: number, high: number, empty: boolean): [number, number] {
  if (empty || !Number.isFinite(high - low)) return [0, 1];
  const room = high > low ? 0.06 * (high - low) : 0.1 * Math.abs(high) || 1;
  return [low - room, high + room];
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function evenSteps(low: number, high: number, width: number): number[] {
  const rough = (high - low) / Math.max(2, Math.floor(width / 45));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough)!;
  const first = Math.ceil(low / step);
  const count = Math.min(20, Math.floor(high / step) - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

/** Powers of ten, and 2 and 5 times them where there are few. */
function decades(low: number, high: number): number[] {
  const powers = Array.from(
    { length: Math.floor(high) - Math.floor(low) + 1 },
    (_, at) => 10 ** (Math.floor(low) + at),
  );
  const inside = (tick: number): boolean => Math.log10(tick) >= low && Math.log10(tick) <= high;
  const own = powers.filter(inside);
  if (own.length >= 3) return own;
  return powers.flatMap((power) => [power, 2 * power, 5 * power]).filter(inside);
}

/** Every tick, or every second, third and so on: as many as have room for their labels, at even distances. */
function apart(ticks: readonly number[], place: (value: number) => number): number[] {
  const ends = (tick: number): [number, number] => {
    const half = textWidth(tickText(tick)) / 2;
    return [place(tick) - half, place(tick) + half];
  };
  const inside = ticks.filter((tick) => ends(tick)[1] <= plotWidth);
  for (let stride = 1; ; stride++) {
    const kept = inside.filter((_, at) => at % stride === 0);
    if (kept.every((tick, at) => at === 0 || ends(tick)[0] >= ends(kept[at - 1]!)[1] + 8)) return kept;
  }
}

/** The label of a tick. */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e5))
    return String(Number(value.toPrecision(6))).replace("-", "−");
  return value.toExponential().replace("e+", "e").replaceAll("-", "−");
}

/** The axis below a plot, with its lines up to `top` and what it shows written under it. */
export function axisMarkup(axis: Axis, top: number, bottom: number, title: string): Markup {
  const ticks = axis.ticks.map((tick) => {
    const x = axis.place(tick).toFixed(1);
    return markup`<line class="grid" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/><text class="tick" x="${x}" y="${bottom + 14}" text-anchor="middle">${tickText(tick)}</text>`;
  });
  const named = fitted(`${title}${axis.logarithmic ? ", logarithmic" : ""}`, plotWidth - 4);
  return markup`${ticks}<line class="axis" x1="${axis.left}" x2="${axis.right}" y1="${bottom}" y2="${bottom}"/><text class="title" x="${plotWidth / 2}" y="${bottom + 31}" text-anchor="middle">${named}</text>`;
}
