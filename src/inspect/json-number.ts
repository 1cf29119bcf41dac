import type { JsonNumber } from "./document.js";

/** A number as JSON can hold it. */
export function toJson(value: number): JsonNumber {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : value;
  return String(value) as JsonNumber;
}

/** The number that stands in a document; also "-0", "NaN" and the infinities. */
export function fromJson(value: JsonNumber): number {
  return Number(value);
}
