/** A number of a page as it stands there. */
export interface PageFigure {
  /** The number with all its digits. */
  readonly value: number;
  /** Its path, and whether it is in the report or was computed from it. */
  readonly path: string;
  readonly origin: "reported" | "computed";
  /** What is read. */
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** A text of a page as a reader has it. */
export function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
}

/** Every `data` element of a page. */
export function figuresOf(page: string): PageFigure[] {
  const element = /<data value="([^"]*)" data-(reported|computed)="([^"]*)" title="[^"]*">([^<]*)<\/data>/g;
  return [...page.matchAll(element)].map(([, value, origin, path, text]) => ({
    value: Number(value),
    path: unescaped(path!),
    origin: origin as PageFigure["origin"],
    text: unescaped(text!),
  }));
}

/** Every tag of a page in order, as written. */
export function tagsOf(page: string): string[] {
  return [...page.matchAll(/<\/?[a-z][^>]*>/gi)].map(([tag]) => tag);
}
