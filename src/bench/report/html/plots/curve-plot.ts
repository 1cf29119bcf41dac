import type { CellFigures } from "../../document-v2.js";
import { markup, type Content, type Markup } from "../markup.js";
import { axisMarkup, axisOver, plotWidth, tickText, textWidth } from "./axis.js";
import { legend, plotFigure } from "./plot-figure.js";
import { symbol } from "./symbols.js";

const height = 170;

/** The training loss after each epoch: a line for each final cell of either arm, a mark after a single epoch. */
export function curvePlot(cells: readonly CellFigures[]): Markup {
  const curves = cells.filter(({ curve }) => curve.length > 0);
  const losses = curves.flatMap(({ curve }) => curve);
  const logarithmic = losses.filter(Number.isFinite).every((loss) => loss > 0);
  const epochs = Math.max(...curves.map(({ curve }) => curve.length));
  const up = axisOver(losses, 0, logarithmic);
  const [top, bottom] = [26, height];
  const y = (loss: number): number =>
    bottom - ((up.place(loss) - up.left) / (up.right - up.left)) * (bottom - top);
  const labels = up.ticks.filter((_, at) => at % Math.ceil(up.ticks.length / 6) === 0);
  const gutter = Math.max(0, ...labels.map((tick) => textWidth(tickText(tick)))) + 8;
  const along = axisOver([1, epochs], gutter);
  const whole = { ...along, ticks: along.ticks.filter((tick) => Number.isInteger(tick) && tick >= 1) };
  const drawing: Content[] = [
    legend([
      ["baseline", "tuned baseline"],
      ["idea", "idea"],
    ]),
    labels.map(
      (tick) =>
        markup`<line class="grid" x1="${gutter}" x2="${plotWidth - 14}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/><text class="tick" x="${gutter - 4}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${tickText(tick)}</text>`,
    ),
    axisMarkup(whole, top, bottom, `epoch (up: training loss${logarithmic ? ", logarithmic" : ""})`),
    curves.map(({ arm, curve }) => {
      const points = curve
        .map((loss, at) => [along.place(at + 1), y(loss), loss] as const)
        .filter(([, , loss]) => Number.isFinite(loss));
      const [only] = points;
      if (only !== undefined && points.length === 1)
        return symbol(arm as "baseline" | "idea", only[0], only[1]);
      const steps = points.map(([x, up_], at) => `${at === 0 ? "M" : "L"}${x.toFixed(1)} ${up_.toFixed(1)}`);
      return markup`<path class="curve ${arm}-line" d="${steps.join("")}"/>\n`;
    }),
  ];
  return plotFigure(
    {
      id: "curve-plot",
      title: "Training loss",
      description: `Training loss after each of ${epochs} epochs, one line for each of ${curves.length} final cells of both arms. The losses after the last epoch are in the table of cells.`,
    },
    bottom + 38,
    drawing,
  );
}
