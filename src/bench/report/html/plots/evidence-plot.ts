import type { EvidencePath, SequentialPlan } from "../../../sequential/index.js";
import { markup, type Content, type Markup } from "../markup.js";
import { axisMarkup, axisOver, plotWidth, tickText, textWidth } from "./axis.js";
import { plotFigure } from "./plot-figure.js";
import { symbol } from "./symbols.js";

const [top, bottom] = [26, 170];

/** The evidence at each look of a plan, with the line at which the run ends. */
export function evidencePlot({ looks, threshold, stopped }: EvidencePath, { most }: SequentialPlan): Markup {
  const up = axisOver([1, threshold, ...looks.map(({ evidence }) => evidence)], 0, true);
  const y = (evidence: number): number =>
    bottom - ((up.place(evidence) - up.left) / (up.right - up.left)) * (bottom - top);
  const labels = up.ticks.filter((_, at) => at % Math.ceil(up.ticks.length / 6) === 0);
  const gutter = Math.max(0, ...labels.map((tick) => textWidth(tickText(tick)))) + 8;
  const along = axisOver([looks[0]!.pairs, most], gutter);
  const whole = { ...along, ticks: along.ticks.filter((tick) => Number.isInteger(tick) && tick >= 1) };
  const points = looks.map(({ pairs, evidence }) => [along.place(pairs), y(evidence)] as const);
  const path = points.map(([x, height], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${height.toFixed(1)}`);
  const line = y(threshold).toFixed(1);
  const drawing: Content[] = [
    labels.map(
      (tick) =>
        markup`<line class="grid" x1="${gutter}" x2="${plotWidth - 14}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/><text class="tick" x="${gutter - 4}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${tickText(tick)}</text>`,
    ),
    axisMarkup(whole, top, bottom, "pairs of seeds (up: evidence E, logarithmic)"),
    markup`<line class="zero" x1="${gutter}" x2="${plotWidth - 14}" y1="${line}" y2="${line}"/><text class="tick" x="${plotWidth - 14}" y="${(y(threshold) - 5).toFixed(1)}" text-anchor="end">1/α: the run ends</text>`,
    markup`<path class="curve idea-line" d="${path.join("")}"/>`,
    points.map(([x, height], at) => symbol("idea", x, height, at === points.length - 1)),
  ];
  const last = looks.at(-1)!;
  return plotFigure(
    {
      id: "evidence-plot",
      title: "The evidence at each look",
      description: `Evidence E after each of ${looks.length} looks, up to ${last.pairs} of at most ${most} pairs, and the line at ${threshold} that ends the run; the last look has a ring. Ended by: ${stopped}. The same values are in the table of looks.`,
    },
    bottom + 38,
    drawing,
  );
}
