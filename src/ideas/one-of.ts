import { fail } from "../errors/index.js";

/** The entry of `known` that an option equals. E_VALUE, naming the option and whose it is, when there is none. */
export function oneOf<T extends string>(
  owner: string,
  option: string,
  value: unknown,
  known: readonly T[],
): T {
  const found = known.find((candidate) => candidate === value);
  if (found === undefined) {
    fail("E_VALUE", `${owner}: ${option} must be one of ${known.join(", ")}, not ${String(value)}`);
  }
  return found;
}
