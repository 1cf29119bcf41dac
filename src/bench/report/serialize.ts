import { specialNumberName } from "./special-numbers.js";

/**
 * A report as JSON text with two spaces of indent and a newline at the end. Keys keep their order; finite
 * numbers come back bit for bit; NaN and the infinities are written as strings, −0 as "-0".
 */
export function serializeReport(report: object): string {
  return `${JSON.stringify(report, namedNumbers, 2)}\n`;
}

/**
 * One text for equal values: no spaces, keys sorted by code unit, numbers as {@link serializeReport} writes
 * them.
 */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    const named = namedNumbers(key, item);
    if (typeof named !== "object" || named === null || Array.isArray(named)) return named;
    const entries = Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  });
}

function namedNumbers(_key: string, value: unknown): unknown {
  return typeof value === "number" ? (specialNumberName(value) ?? value) : value;
}
