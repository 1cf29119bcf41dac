import { suggestion } from "../bench/index.js";
import { fail } from "../errors/index.js";

/** What yargs read: named values by name, and the words without a name in `_`. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Options that every command takes. */
export const commonOptions = {
  color: {
    type: "boolean",
    describe: "colour on or off (--no-color); NO_COLOR and FORCE_COLOR are honoured",
  },
  json: { type: "boolean", describe: "print one JSON document on stdout" },
} as const;

const camel = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Refuses options that the command does not have, naming the nearest one. Throws `E_USAGE`. */
export function requireKnown(
  args: Arguments,
  command: string,
  options: readonly string[],
  positionals: readonly string[],
): void {
  const known = new Set([
    "_",
    "$0",
    "help",
    "version",
    ...positionals,
    ...options,
    ...options.map(camel),
    ...positionals.map(camel),
  ]);
  for (const name of Object.keys(args)) {
    if (known.has(name)) continue;
    const dashed = name.length === 1 ? `-${name}` : `--${name}`;
    fail(
      "E_USAGE",
      `${command}: there is no option ${dashed}; ${suggestion(
        dashed,
        options.map((option) => `--${option}`),
      )}`,
    );
  }
}

/** The text of an option; undefined when it was left out. Throws `E_USAGE` when it is empty or given twice. */
export function textOf(args: Arguments, name: string): string | undefined {
  const value = args[name];
  if (value === undefined) return undefined;
  if (Array.isArray(value))
    fail("E_USAGE", `--${name}: expected it once, got ${value.length} times: ${value.join(", ")}`);
  if (value === "" || typeof value === "boolean") fail("E_USAGE", `--${name}: expected a value after it`);
  return String(value);
}

/** The words of an option that may be repeated and may hold several, separated by commas. Throws `E_USAGE` for an empty one. */
export function listOf(args: Arguments, name: string): string[] {
  const given = args[name];
  if (given === undefined) return [];
  const words = (Array.isArray(given) ? given : [given]).flatMap((text) => String(text).split(","));
  if (words.includes("") || typeof given === "boolean")
    fail("E_USAGE", `--${name}: expected a value after it`);
  return words;
}

/** A whole number of at least `least`; undefined when it was left out. Throws `E_USAGE`. */
export function countOf(args: Arguments, name: string, least = 1): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    fail("E_USAGE", `--${name}: expected a whole number of at least ${least}, got "${text}"`);
  }
  return value;
}

/** A positive number; undefined when it was left out. Throws `E_USAGE`. */
export function positiveOf(args: Arguments, name: string): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || !(value > 0))
    fail("E_USAGE", `--${name}: expected a number above 0, got "${text}"`);
  return value;
}

/** `name=value,value` lists of numbers, as given to `--grid`. Throws `E_USAGE`. */
export function numberListsOf(args: Arguments, name: string): Record<string, readonly number[]> {
  return Object.fromEntries(
    Object.entries(pairsOf(args, name)).map(([key, text]) => [
      key,
      text.split(",").map((word) => {
        if (word.trim() === "" || Number.isNaN(Number(word)))
          fail("E_USAGE", `--${name}: expected numbers with commas between them, got "${text}" for ${key}`);
        return Number(word);
      }),
    ]),
  );
}

/** `name=value` pairs, as given to `--option`. Throws `E_USAGE`. */
export function pairsOf(args: Arguments, name: string): Record<string, string> {
  const given = args[name];
  const list = given === undefined ? [] : Array.isArray(given) ? given.map(String) : [String(given)];
  return Object.fromEntries(
    list.map((text, i) => {
      const at = text.indexOf("=");
      if (at < 1 || at === text.length - 1) fail("E_USAGE", `--${name}: expected name=value, got "${text}"`);
      const earlier = list.slice(0, i).find((other) => other.startsWith(text.slice(0, at + 1)));
      if (earlier !== undefined)
        fail("E_USAGE", `--${name}: ${text.slice(0, at)} is given twice, as ${earlier} and ${text}`);
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

/** The words of {@link listOf}, or `all` where the option stands alone; undefined when it was left out. Throws `E_USAGE`. */
export function wordsOf(args: Arguments, name: string): "all" | readonly string[] | undefined {
  if (args[name] === undefined) return undefined;
  if (args[name] === "" || args[name] === true) return "all";
  const words = listOf(args, name);
  return words.length === 1 && words[0] === "all" ? "all" : words;
}
