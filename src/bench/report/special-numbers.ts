import type { Json } from "../../ideas/index.js";

const byName = new Map<Json, number>([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
  ["-0", -0],
]);

/** The text that stands for a number that JSON cannot hold; `undefined` for any other number. */
export function specialNumberName(value: number): string | undefined {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? undefined : String(value);
}

/** The number that "NaN", "Infinity", "-Infinity" or "-0" stands for; any other value as it is. */
export function readSpecialNumber(value: Json): Json {
  return byName.get(value) ?? value;
}

/** {@link readSpecialNumber} on every value of a document. */
export function readSpecialNumbers(value: Json): Json {
  if (Array.isArray(value)) return value.map(readSpecialNumbers);
  if (typeof value !== "object" || value === null) return readSpecialNumber(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readSpecialNumbers(item)]));
}
