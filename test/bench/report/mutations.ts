import type { Json } from "../../../src/ideas/index.js";
import { leavesOf, withValueAt } from "../../../src/bench/report/path.js";
import type { Report } from "../../../src/bench/report/index.js";

/** A report with one value altered by hand. */
export interface Mutation {
  readonly path: string;
  readonly altered: Json;
  readonly report: Report;
}

/**
 * Every value of a report altered in turn: integers by one, other numbers by a millionth, flags flipped,
 * texts changed.
 */
export function mutationsOf(report: Report): Mutation[] {
  return leavesOf(report).flatMap(([path, value]) => {
    const altered = alteredValue(value);
    return altered === undefined ? [] : [{ path, altered, report: withValueAt(report, path, altered) }];
  });
}

function alteredValue(value: Json): Json | undefined {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return Number.isInteger(value) ? value + 1 : value * (1 + 1e-6);
  if (typeof value !== "string") return undefined;
  if (value === "lower is better") return "higher is better";
  if (value === "higher is better") return "lower is better";
  if (/^\d+$/.test(value)) return String(BigInt(value) + 1n);
  return value === "partial" ? "worked" : `${value}x`;
}
