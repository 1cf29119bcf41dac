import { tickText } from "../report/html/plots/axis.js";

/** A word or a number of a table as it is read: whole numbers below a million as they are, others with four significant digits. */
export function cellText(value: string | number): string {
  if (typeof value === "string") return value;
  if (!Number.isFinite(value)) return String(value);
  return Number.isInteger(value) && Math.abs(value) < 1e6
    ? String(value).replace("-", "−")
    : tickText(Number(value.toPrecision(4)));
}
