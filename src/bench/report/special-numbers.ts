import type { Json } from "../../ideas/index.js";

const byName = new Map<string, number>([
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

/** A parsed JSON value with the texts "NaN", "Infinity", "-Infinity" and "-0" read as the numbers that they stand for. */
export function readSpecialNumbers(value: Json): Json {
  if (typeof value === "string") return byName.get(value) ?? value;
  if (Array.isArray(value)) return value.map(readSpecialNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, readSpecialNumbers(item)]));
}
