import { isOfOtherCopy, otherCopy } from "./other-copy.js";

/** Whatever was given where something else was expected, as short text for a message; never throws. */
export function formatGiven(value: unknown, depth = 0): string {
  if (isOfOtherCopy(value)) return otherCopy;
  try {
    if (!Array.isArray(value)) return String(value);
    if (depth > 3) return "[…]";
    const entries = Array.from(value.slice(0, 8), (entry) => formatGiven(entry, depth + 1));
    return `[${entries.join(", ")}${value.length > 8 ? ", …" : ""}]`;
  } catch {
    return `something that is no text (${typeof value})`;
  }
}

/** What kind of thing was given, as short text for a message: `a list`, `a function`, `number 3`, `undefined`; never throws. */
export function kindOfGiven(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (value === "") return 'the empty text ""';
  if (isOfOtherCopy(value)) return otherCopy;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "function" ? "a function" : `${typeof value} ${formatGiven(value)}`;
}
