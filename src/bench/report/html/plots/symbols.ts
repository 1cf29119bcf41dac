import { markup, type Markup } from "../markup.js";

/** What a mark stands for; each has its own colour and its own form. */
export type Series = "baseline" | "idea" | "other";

/** A mark: a disc for the baseline, a diamond for the idea, a bar for anything else; with a ring where it was chosen. */
export function symbol(series: Series, x: number, y: number, chosen = false): Markup {
  const at = x.toFixed(1);
  const ring = chosen ? markup`<circle class="ring" cx="${at}" cy="${y}" r="8"/>` : undefined;
  if (series === "baseline") return markup`${ring}<circle class="baseline" cx="${at}" cy="${y}" r="4.2"/>`;
  if (series === "other")
    return markup`${ring}<rect class="other" x="${(x - 1.5).toFixed(1)}" y="${y - 6}" width="3" height="12"/>`;
  const d = `M${at} ${y - 5.4}L${(x + 5.4).toFixed(1)} ${y}L${at} ${y + 5.4}L${(x - 5.4).toFixed(1)} ${y}Z`;
  return markup`${ring}<path class="idea" d="${d}"/>`;
}
