import type { Options } from "yargs";
import { fail } from "../errors/index.js";

/**
 * Refuses what yargs would take silently: `--no-NAME` for an option with a value, and a value other than true or false
 * for one without. Throws `E_USAGE`.
 */
export function requireShapes(words: readonly string[], options: Readonly<Record<string, Options>>): void {
  for (const word of words) {
    const [, no = "", name = "", value] = /^--(no-)?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option) continue;
    if (no && option.type !== "boolean")
      fail("E_USAGE", `there is no option --no-${name}; leave --${name} out to have its default`);
    if (option.type === "boolean" && value !== undefined && !["true", "false"].includes(value))
      fail("E_USAGE", `--${name}: expected true, false or nothing after it, got "${value}"`);
  }
}
