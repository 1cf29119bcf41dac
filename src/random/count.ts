import { fail } from "../errors/index.js";

/** The count itself; E_VALUE for what is not a whole number ≥ 0. */
export function checkedCount(count: number): number {
  if (!Number.isSafeInteger(count) || count < 0) {
    fail("E_VALUE", `a count must be a whole number ≥ 0; found ${count}`);
  }
  return count;
}
