import { childPath, valueAt } from "../path.js";
import type { ReportView } from "../present/report-view.js";
import { valueMarkup } from "./figure-markup.js";
import { markup, type Content, type Markup } from "./markup.js";

/** A section with its heading, which the list of contents links to. */
export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly body: Content;
}

/** A table whose first column names its rows; it scrolls on its own where the page is too narrow. */
export function table(
  caption: string,
  columns: readonly Content[],
  rows: readonly (readonly Content[])[],
): Markup {
  const head = columns.map((column) => markup`<th scope="col">${column}</th>`);
  const body = rows.map(
    ([first, ...rest]) =>
      markup`<tr><th scope="row">${first}</th>${rest.map((cell) => markup`<td>${cell}</td>`)}</tr>\n`,
  );
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>`;
}

/** Names with what they stand for. */
export function definitions(entries: readonly (readonly [name: Content, value: Content])[]): Markup {
  return markup`<dl>${entries.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`;
}

/** What the report has under a key of its bench report, as names and values; undefined where it has nothing. */
export function entriesOf(view: ReportView, key: string, leave: readonly string[] = []): Markup | undefined {
  const path = `${view.prefix}${key}`;
  const value = valueAt(view.report, path);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).filter(([name]) => !leave.includes(name));
  if (entries.length === 0) return undefined;
  return definitions(
    entries.map(([name, item]) => [name, valueMarkup(view, item, childPath(path, name))] as const),
  );
}

/** Something that is there to be unfolded, and always unfolded in print. */
export function folded(summary: string, body: Content): Markup {
  return markup`<details><summary>${summary}</summary>${body}</details>`;
}

/** A plot beside what is said about it. */
export function beside(plot: Content, text: Content): Markup {
  return markup`<div class="beside"><div>${plot}</div><div>${text}</div></div>`;
}

/** What stays on one line: an interval, a share. */
export function whole(content: Content): Markup {
  return markup`<span class="whole">${content}</span>`;
}

/** A list of texts. */
export function bullets(items: readonly Content[]): Markup {
  return markup`<ul>${items.map((item) => markup`<li>${item}</li>\n`)}</ul>`;
}
