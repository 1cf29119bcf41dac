/** What a reader cannot see, or what turns the text around it: control characters, direction marks, lone surrogates. */
const unseen =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]|\p{Surrogate}/gu;

/**
 * A text of a file that others wrote, with everything invisible in it written out as `\u{1b}`: it can neither move a
 * terminal's cursor nor show in another order than it is written. Line ends and tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(unseen, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A document whose texts and keys are all {@link visibleText}. */
export function visibleTexts<Document>(document: Document): Document {
  const visible = (value: unknown): unknown => {
    if (typeof value === "string") return visibleText(value);
    if (Array.isArray(value)) return value.map(visible);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [visibleText(key), visible(item)]));
  };
  return visible(document) as Document;
}
