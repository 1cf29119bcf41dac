import type { Json } from "../../ideas/index.js";

/** A value of a report as a person reads it. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  return JSON.stringify(value);
}
