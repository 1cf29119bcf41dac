import type { Json } from "../../ideas/index.js";

const SPECIAL = /^(?:string:)*(?:NaN|Infinity|-Infinity|-0)$/;

/** A number as JSON can hold it: non-finite ones and −0 as strings. */
function encodeNumber(value: number): number | string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

/**
 * One text for one value: keys sorted, no white space, numbers by their shortest decimal form. Non-finite numbers
 * and −0 become strings; a string that would read as one of those is marked with `string:`. Keys whose value is
 * undefined are left out, as JSON does.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === "number") return JSON.stringify(encodeNumber(value));
  if (typeof value === "string") return JSON.stringify(SPECIAL.test(value) ? `string:${value}` : value);
  if (value === null || typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${entries.join(",")}}`;
}

/** The value of a text made by {@link canonicalJson}, to the bit. */
export function parseCanonicalJson(text: string): Json {
  return JSON.parse(text, (_key, value: unknown) =>
    typeof value === "string" && SPECIAL.test(value) ? decodeSpecial(value) : value,
  ) as Json;
}

function decodeSpecial(text: string): string | number {
  return text.startsWith("string:") ? text.slice("string:".length) : Number(text);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
