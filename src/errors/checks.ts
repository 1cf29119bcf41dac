import { formatGiven } from "./given.js";
import { fail } from "./gradstand-error.js";

/** The options themselves; throws `E_VALUE` unless they are an object. */
export function checkedOptions<T extends object>(owner: string, options: T): T {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    fail("E_VALUE", `${owner}: expected an object of options, got ${formatGiven(options)}`);
  return options;
}

/** Throws `E_VALUE` unless each of the named values is a number. */
export function checkNumbers(owner: string, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== "number")
      fail("E_VALUE", `${owner}: expected ${name} to be a number, got ${typeof value} ${formatGiven(value)}`);
  }
}
