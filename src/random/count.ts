import { fail, formatGiven } from "../errors/index.js";

/** The most numbers that are drawn at once: 4 GiB of float64. */
const mostNumbers = 2 ** 29;

/** The count itself; E_VALUE for what is not a whole number from 0 to 2²⁹. */
export function checkedCount(count: number): number {
  if (!Number.isSafeInteger(count) || count < 0 || count > mostNumbers) {
    fail("E_VALUE", `a count must be a whole number from 0 to 2^29; found ${formatGiven(count)}`);
  }
  return count;
}
