import { visibleText } from "../present/visible-text.js";

/** A piece of HTML or SVG that is safe to put into a page. Only {@link markup} makes it. */
export class Markup {
  constructor(readonly text: string) {}
}

/** What a template may hold; texts are escaped, nothing stands for `undefined`. */
export type Content = Markup | string | number | undefined | readonly Content[];

/** HTML or SVG of a template in which every text is escaped, so that nothing of a file can become markup. */
export function markup(texts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(texts.map((text, at) => `${text}${written(contents[at])}`).join(""));
}

function written(content: Content): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(written).join("");
  return escaped(String(content));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text as it may stand between tags and in quoted attributes, everything invisible written out. */
function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character]!);
}
