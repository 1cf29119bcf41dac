import { markup, type Content, type Markup } from "../markup.js";
import { plotWidth, textWidth } from "./axis.js";
import { symbol, type Series } from "./symbols.js";

/** What every plot says about itself. */
export interface PlotText {
  /** A name that no other plot of the page has. */
  readonly id: string;
  readonly title: string;
  /** What is to be seen, for those who do not see it. */
  readonly description: string;
}

/** A plot with its caption, and its name and description for a reader of the screen. */
export function plotFigure({ id, title, description }: PlotText, height: number, drawing: Content): Markup {
  return markup`<figure id="${id}"><figcaption>${title}</figcaption>
<svg viewBox="0 0 ${plotWidth} ${height}" role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>
${drawing}
</svg></figure>
`;
}

/** What the marks stand for, in a line at the top of a plot. */
export function legend(names: readonly (readonly [Series, string])[]): Markup {
  let x = 8;
  const parts = names.map(([series, name]) => {
    const part = markup`${symbol(series, x, 10)}<text class="tick" x="${x + 10}" y="14">${name}</text>`;
    x += 10 + textWidth(name) + 18;
    return part;
  });
  return markup`${parts}`;
}
