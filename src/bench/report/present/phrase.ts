import { figureText, type Figure } from "./figure.js";

/** A sentence whose figures are still numbers with their places. */
export type Phrase = readonly (string | Figure)[];

/** Makes a {@link Phrase} of a template: ``phrase`${wins} of ${pairs} seeds` ``. */
export function phrase(texts: TemplateStringsArray, ...parts: readonly (string | Figure | Phrase)[]): Phrase {
  return texts.flatMap((text, at): (string | Figure)[] => {
    const part = parts[at];
    if (part === undefined) return [text];
    return isPhrase(part) ? [text, ...part] : [text, part];
  });
}

/** Phrases with a text between each two. */
export function joined(phrases: readonly Phrase[], between: string): Phrase {
  return phrases.flatMap((one, at) => (at === 0 ? one : [between, ...one]));
}

/** A phrase as plain text. */
export function phraseText(parts: Phrase): string {
  return parts.map((part) => (typeof part === "string" ? part : figureText(part))).join("");
}

function isPhrase(part: string | Figure | Phrase): part is Phrase {
  return Array.isArray(part);
}
