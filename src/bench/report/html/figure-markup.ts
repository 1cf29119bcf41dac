import { childPath } from "../path.js";
import { figureAt, figureText, type Figure } from "../present/figure.js";
import type { Phrase } from "../present/phrase.js";
import type { ReportView } from "../present/report-view.js";
import { markup, type Content, type Markup } from "./markup.js";

/** A figure: every digit in `value`, where it comes from in `title`, and a mark where it does not hold. */
export function figureMarkup(figure: Figure): Markup {
  const { value, path, origin, fault } = figure;
  const source = origin === "reported" ? path : `computed from the report's values: ${path}`;
  const written = markup`<data value="${exact(value)}" data-${origin}="${path}" title="${exact(value)}, ${source}">${figureText(figure)}</data>`;
  return fault === undefined ? written : markup`${written} <strong class="fault">✗ ${fault}</strong>`;
}

/** Every digit of a number. */
function exact(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** A sentence with its figures. */
export function phraseMarkup(parts: Phrase): Markup {
  return markup`${parts.map((part) => (typeof part === "string" ? part : figureMarkup(part)))}`;
}

/** A value of the report at its full path: numbers as figures, items and keys one after another, texts as they are. */
export function valueMarkup(view: ReportView, value: unknown, path: string): Content {
  if (typeof value === "number") return figureMarkup(figureAt(view, path));
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null || value === undefined) return "none";
  const items: readonly Content[] = Array.isArray(value)
    ? value.map((item: unknown, at) => valueMarkup(view, item, childPath(path, at)))
    : Object.entries(value).map(
        ([key, item]) => markup`${key} ${valueMarkup(view, item, childPath(path, key))}`,
      );
  if (items.length === 0) return "none";
  const between = Array.isArray(value) ? ", " : "; ";
  return items.map((item, at): Content => (at === 0 ? item : [between, item]));
}
